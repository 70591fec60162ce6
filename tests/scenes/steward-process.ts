// The real program in a process of its own, with a fake model server beside it; tests talk to it as any client does.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectLocal } from "../../src/cli/local-client.ts";
import type { GatewayClient } from "../../src/contract/wire/client.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const node = join(root, "node_modules", "node", "bin", "node");
/** What people start, put together before the first test. */
export const program = process.env.STEWARD_TEST_PROGRAM ?? join(root, "src", "main.ts");

export type ModelProcess = { port: number; stop(): void };

export async function startModelProcess(...flags: readonly string[]): Promise<ModelProcess> {
  const child = spawn(node, [join(root, "tests/fakes/model/model-server-process.ts"), "--port", "0", ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const line = await new Promise<string>((resolve) => child.stdout.once("data", (data) => resolve(String(data))));
  return { port: JSON.parse(line).port, stop: () => child.kill("SIGKILL") };
}

/** Settings that make the fake server the only model; retries are quick so that tests are. */
export async function writeSettings(
  home: string,
  modelPort: number,
  extra: Record<string, unknown> = {},
): Promise<void> {
  await mkdir(home, { recursive: true });
  const settings = {
    agent: { model: "fake/fake-model" },
    models: {
      providers: { fake: { kind: "openai-compatible", baseUrl: `http://127.0.0.1:${modelPort}/v1` } },
      probeLocal: false,
    },
    ...extra,
  };
  await writeFile(join(home, "config.json"), JSON.stringify(settings));
}

export type StewardOptions = {
  home: string;
  args?: readonly string[];
  preload?: string;
  environment?: Record<string, string>;
};

export function spawnSteward(options: StewardOptions): ChildProcess {
  const preload = options.preload ? ["--import", options.preload] : [];
  return spawn(node, [...preload, program, ...(options.args ?? ["daemon"])], {
    // nothing of the machine's own keys or settings reaches the program under test
    env: {
      PATH: process.env.PATH ?? "",
      HOME: options.home,
      STEWARD_HOME: options.home,
      // several run side by side, and maybe beside one that somebody uses
      STEWARD_GATEWAY_PORT: "0",
      NODE_COMPILE_CACHE: join(dirname(program), ".steward-compiled"),
      ...options.environment,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** The client of a daemon that is starting; undefined when the process ends before it answers. */
export async function clientOf(child: ChildProcess, home: string): Promise<GatewayClient | undefined> {
  const path = join(home, "data", "steward.sock");
  while (child.exitCode === null && child.signalCode === null) {
    const client = await connectLocal(path).catch(() => undefined);
    if (client) return client;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return undefined;
}

export async function ended(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once("exit", resolve));
  return child.exitCode ?? child.signalCode;
}

export type Ran = { code: number | NodeJS.Signals | null; output: string; errors: string };

/** Runs a command of the program to its end. */
export async function runSteward(options: StewardOptions & { input?: string }): Promise<Ran> {
  const child = spawnSteward(options);
  let [output, errors] = ["", ""];
  child.stdout?.on("data", (data) => {
    output += data;
  });
  child.stderr?.on("data", (data) => {
    errors += data;
  });
  child.stdin?.end(options.input ?? "");
  const code = await ended(child);
  return { code, output, errors };
}
