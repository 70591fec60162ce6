// Settings and this machine come in; a sandbox that has just been tried out goes out, or the one line that says why not.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../../contract/settings.ts";
import { findTrustedProgram, programPath, trustedFolders } from "../programs/trusted-program.ts";
import { sandboxUser, type UserIds } from "../programs/workspace-owner.ts";
import { openBwrapSandbox } from "./bwrap/bwrap-sandbox.ts";
import { boxFilter } from "./bwrap/seccomp/box-filter.ts";
import type { ContainerProgram } from "./container/container-arguments.ts";
import { openContainerSandbox } from "./container/container-sandbox.ts";
import { callTool, removeLeftContainers } from "./container/remove-containers.ts";
import { chooseLimits } from "./limits/choose-limits.ts";
import type { MountPlaces } from "./mount-rules.ts";
import { openNoSandbox } from "./no-sandbox.ts";
import { openProbes, runProbeBattery } from "./probe-battery.ts";
import type { Sandbox } from "./sandbox.ts";
import { lastLineOf } from "./start-process.ts";

export type SandboxDeps = {
  settings: Pick<Settings["sandbox"], "kind" | "image" | "runtime" | "cpus">;
  platform: NodeJS.Platform;
  /** Whom Steward runs as. */
  ownUser: UserIds;
  places: MountPlaces;
  temporaryFolder: string;
  /** The program that runs Steward, for the probes. */
  node: string;
  /** HOME, XDG_RUNTIME_DIR and DBUS_SESSION_BUS_ADDRESS of Steward; nothing else is taken from its environment. */
  launchEnvironment: Readonly<Record<string, string>>;
  /** Where programs of the system lie; the tests name others. */
  programFolders?: readonly string[];
  newId(): string;
  /** Told of keys that a command may have read, to be masked wherever they turn up. */
  hideValues(values: readonly string[]): void;
  redact(text: string): string;
};

export type ChosenSandbox = { sandbox: Sandbox } | { unavailable: string };

/** Docker Desktop and Homebrew install here; the person who chose a container driver trusts these folders. */
const containerFolders = ["/usr/local/bin", "/opt/homebrew/bin"];
const commandsOff = "Until then commands are off.";

export async function chooseSandbox(deps: SandboxDeps): Promise<ChosenSandbox> {
  const { kind } = deps.settings;
  if (kind === "none") return { sandbox: openNoSandbox({ ...deps, prlimit: programPath("prlimit", folders(deps)) }) };
  if (kind === "auto" || kind === "bwrap") return chooseBwrap(deps);
  return chooseContainer(deps, kind);
}

async function chooseBwrap(deps: SandboxDeps): Promise<ChosenSandbox> {
  if (deps.platform !== "linux")
    return off("bubblewrap is for Linux only: set sandbox.kind to docker, podman or apple-container.");
  const found = findTrustedBwrap(folders(deps));
  if ("unavailable" in found) return found;
  const tools = findTools(deps);
  if (typeof tools === "string") return off(`${tools} is missing: apt-get install util-linux.`);
  const filter = boxFilter(process.arch);
  if (!filter) return off(`The system calls of ${process.arch} are not known: set sandbox.kind to docker or podman.`);
  const launchEnvironment = pick(deps.launchEnvironment, ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"]);
  const isRoot = deps.ownUser.uid === 0;
  const limits = await chooseLimits({
    isRoot,
    systemdRun: programPath("systemd-run", folders(deps)),
    launchEnvironment,
    newId: deps.newId,
  });
  const sandbox = openBwrapSandbox({
    bwrap: found.path,
    filter,
    prlimit: tools.prlimit,
    socat: programPath("socat", folders(deps)),
    places: deps.places,
    limits,
    launchEnvironment,
    hideValues: deps.hideValues,
    redact: deps.redact,
    ...(isRoot ? { rootTools: tools } : {}),
  });
  return tryOut(deps, sandbox, isRoot ? { user: sandboxUser } : {});
}

/** A sandbox is only used after it has just been seen to hold. */
async function tryOut(deps: SandboxDeps, sandbox: Sandbox, as: { user?: UserIds }): Promise<ChosenSandbox> {
  const place = { folder: deps.temporaryFolder, node: deps.node, ...as };
  const results = await runProbeBattery(place, sandbox, "quick").catch(async (cause) => {
    await sandbox.close?.();
    throw cause;
  });
  const [first] = openProbes(results);
  if (!first) return { sandbox };
  await sandbox.close?.();
  return off(`The sandbox does not hold (${first.name}: ${first.detail}): run steward doctor.`);
}

async function chooseContainer(deps: SandboxDeps, program: ContainerProgram): Promise<ChosenSandbox> {
  const command = program === "apple-container" ? "container" : program;
  const tool = [...folders(deps), ...containerFolders].map((folder) => join(folder, command)).find(isProgram);
  if (!tool) return off(`${command} is not installed, and sandbox.kind asks for it.`);
  const launchEnvironment = { PATH: trustedFolders.join(":"), ...deps.launchEnvironment };
  const { image, runtime, cpus } = deps.settings;
  const client = { program, tool, launchEnvironment };
  const inspected = await callTool(client, ["image", "inspect", image]);
  if (inspected.exitCode !== 0)
    return off(`${command} has no image ${image}: ${lastLineOf(inspected.errorText, "no reason given")}`);
  await removeLeftContainers(client, deps.places.stewardHome);
  const { places, ownUser, newId, hideValues, redact } = deps;
  const container = {
    ...client,
    image,
    cpus,
    runtime: runtime ?? undefined,
    places,
    ownUser,
    newId,
    hideValues,
    redact,
  };
  return { sandbox: openContainerSandbox(container) };
}

function findTools(deps: SandboxDeps) {
  const names = ["prlimit", "unshare", "setpriv", "mount"] as const;
  const paths = names.map((name) => programPath(name, folders(deps)));
  const missing = names.find((_, position) => paths[position] === undefined);
  if (missing) return missing;
  const [prlimit = "", unshare = "", setpriv = "", mount = ""] = paths;
  return { prlimit, unshare, setpriv, mount, shell: "/bin/sh" };
}

function isProgram(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function off(reason: string): { unavailable: string } {
  return { unavailable: `${reason.replace(/\.?$/, ".")} ${commandsOff}` };
}

function folders(deps: SandboxDeps): readonly string[] {
  return deps.programFolders ?? trustedFolders;
}

function pick(all: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}

// the first version that can keep commands from making namespaces of their own
const oldestVersion = [0, 8] as const;

/** The system's own bubblewrap: distributions allow namespaces to that very path, and a copy would not be updated. */
function findTrustedBwrap(folders: readonly string[]): { path: string } | { unavailable: string } {
  const found = findTrustedProgram("bwrap", folders);
  if (found.kind === "missing") return off("bubblewrap is not installed: apt-get install bubblewrap.");
  if (found.kind === "unsafe") return off(found.reason);
  const { stdout } = spawnSync(found.path, ["--version"], { encoding: "utf8", env: {}, timeout: 5_000 });
  const version = /(\d+)\.(\d+)[\d.]*/.exec(stdout ?? "");
  if (!version) return off(`${found.path} does not tell its version`);
  const [major, minor] = [Number(version[1]), Number(version[2])];
  if (major > oldestVersion[0] || minor >= oldestVersion[1]) return found;
  return off(`bubblewrap ${version[0]} is too old: ${oldestVersion.join(".")} or later is needed`);
}
