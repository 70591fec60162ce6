// The program as people start it: scripts/steward.mjs on the pinned Node, in a folder of its own.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectLocal } from "../../src/cli/local-client.ts";
import type { GatewayClient } from "../../src/contract/wire/client.ts";
import { pause, steadyMs } from "./figures.ts";
import { cpuSeconds, endedChildrenCpuSeconds } from "./process-figures.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const steward = join(root, "scripts", "steward.mjs");

export type Surroundings = {
  home: string;
  environment?: Readonly<Record<string, string>>;
  /** Another checkout, to be compared with this one. */
  checkout?: string | undefined;
};

export type Daemon = AsyncDisposable & {
  pid: number;
  client: GatewayClient;
  /** From the spawn to the answer of health.check. */
  readyMs: number;
  readyCpuSeconds: number;
};

export async function startDaemon(surroundings: Surroundings): Promise<Daemon> {
  const startedMs = steadyMs();
  const script = join(surroundings.checkout ?? root, "scripts", "steward.mjs");
  const child = spawnNode([script, "daemon"], surroundings);
  const errors = keepErrors(child);
  const client = await firstAnswer(child, surroundings.home);
  const readyMs = steadyMs() - startedMs;
  const pid = child.pid;
  if (!client || pid === undefined) throw new Error(`The daemon ended before it was ready.\n${errors()}`);
  return {
    pid,
    client,
    readyMs,
    readyCpuSeconds: cpuSeconds(pid),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended(child);
    },
  };
}

export type Ran = { wallMs: number; cpuSeconds: number };

/** Runs a command of the program to its end. */
export function runSteward(args: readonly string[], surroundings: Surroundings): Promise<Ran> {
  return runNode([steward, ...args], surroundings);
}

/** Runs Node to its end; nothing else may end meanwhile, or its CPU would be counted too. */
export async function runNode(args: readonly string[], surroundings: Surroundings): Promise<Ran> {
  const cpuBefore = endedChildrenCpuSeconds();
  const startedMs = steadyMs();
  const child = spawnNode(args, surroundings);
  const errors = keepErrors(child);
  const code = await ended(child);
  const wallMs = steadyMs() - startedMs;
  if (code !== 0) throw new Error(`node ${args.join(" ")} ended with ${code}.\n${errors()}`);
  return { wallMs, cpuSeconds: endedChildrenCpuSeconds() - cpuBefore };
}

export function spawnNode(args: readonly string[], { home, environment, checkout }: Surroundings): ChildProcess {
  return spawn(join(checkout ?? root, "node_modules", "node", "bin", "node"), args, {
    // nothing of the machine's own keys or settings reaches the program
    env: { PATH: process.env.PATH ?? "", HOME: home, STEWARD_HOME: home, STEWARD_GATEWAY_PORT: "0", ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

export function ended(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode ?? child.signalCode);
    else child.once("exit", (code, signal) => resolve(code ?? signal));
  });
}

/** What a child says on its error output, to be told when it fails. */
export function keepErrors(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.on("data", (piece) => {
    text = (text + piece).slice(-4_000);
  });
  return () => text;
}

async function firstAnswer(child: ChildProcess, home: string): Promise<GatewayClient | undefined> {
  const path = join(home, "data", "steward.sock");
  while (child.exitCode === null && child.signalCode === null) {
    const client = await connectLocal(path);
    if (client) {
      await client.call("health.check", {});
      return client;
    }
    await pause(3);
  }
  return undefined;
}
