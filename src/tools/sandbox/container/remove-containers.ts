import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { basename } from "node:path";
import { text as readText } from "node:stream/consumers";
import type { ContainerProgram } from "./container-arguments.ts";

export type ContainerTool = {
  program: ContainerProgram;
  /** The command line tool's path. */
  tool: string;
  /** HOME, XDG_RUNTIME_DIR and the like, by which the tool finds its own settings. */
  launchEnvironment: Readonly<Record<string, string>>;
};

const timeoutMs = 20_000;

/** The command line tool is only a client: ending it would leave the container running. */
export async function removeContainer(tool: ContainerTool, name: string): Promise<void> {
  // the container may be gone already, and that is as good
  await callTool(tool, [...removalWords[tool.program], name]);
}

const removalWords: Record<ContainerProgram, readonly string[]> = {
  // without the time it asks politely first and waits ten seconds
  podman: ["rm", "--force", "--time", "0"],
  docker: ["rm", "--force"],
  "apple-container": ["delete", "--force"],
};

/** Containers of this installation that outlived a Steward that was killed. */
export async function removeLeftContainers(tool: ContainerTool, stewardHome: string): Promise<void> {
  const list =
    tool.program === "apple-container" ? ["list", "--all", "--quiet"] : ["ps", "--all", "--format", "{{.Names}}"];
  const { text } = await callTool(tool, list);
  const names = text.split("\n").filter((name) => name.startsWith(`${installationName(stewardHome)}-`));
  for (const name of names) await removeContainer(tool, name);
}

export async function callTool(
  { tool, launchEnvironment }: ContainerTool,
  args: readonly string[],
): Promise<{ exitCode: number | null; text: string; errorText: string }> {
  const stdio = ["ignore", "pipe", "pipe"] as const;
  const child = spawn(tool, args, { env: { ...launchEnvironment }, stdio: [...stdio], timeout: timeoutMs });
  const ended = once(child, "close").catch((error: Error) => error);
  const [text, errorText, end] = await Promise.all([readText(child.stdout), readText(child.stderr), ended]);
  return end instanceof Error
    ? { exitCode: null, text, errorText: end.message }
    : { exitCode: end[0], text, errorText };
}

/**
 * A group's containers are called after its folder. Two groups whose names read alike must not share a name, hence
 * the digest of the whole path.
 */
export function containerName(stewardHome: string, workspace: string): string {
  const readable = basename(workspace)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 24);
  return [installationName(stewardHome), readable, digestOf(workspace)].filter((part) => part !== "").join("-");
}

/** How the names of all containers of this installation begin, so that those a crash left behind are found. */
function installationName(stewardHome: string): string {
  return `steward-${digestOf(stewardHome)}`;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
