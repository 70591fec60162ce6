import { spawn } from "node:child_process";
import type { SandboxLimits } from "../sandbox.ts";
import type { LimitLayer } from "./limit-layer.ts";

export type SystemdDeps = {
  systemdRun: string;
  isRoot: boolean;
  /** XDG_RUNTIME_DIR and DBUS_SESSION_BUS_ADDRESS, by which the user's systemd is found. */
  environment: Readonly<Record<string, string>>;
};

const probeTimeoutMs = 3_000;

/** A scope per command: systemd makes the cgroup, the kernel counts everything in it. */
export async function openSystemdScope(deps: SystemdDeps): Promise<LimitLayer | undefined> {
  const layer: LimitLayer = {
    countsWholeCommand: true,
    hold: async (limits) => ({ prefix: systemdScopeWords(deps, limits), joinFiles: [], release: async () => {} }),
    describe: () =>
      "memory and processes for the whole command (systemd scope), CPU seconds, file size and a wall clock",
  };
  const [file = "", ...args] = systemdScopeWords(deps, { memoryBytes: 2 ** 26, processes: 8 });
  return (await succeeds(file, [...args, "true"], deps.environment)) ? layer : undefined;
}

/** Words to put before a command so that it starts in its own scope. */
export function systemdScopeWords(
  deps: Pick<SystemdDeps, "systemdRun" | "isRoot">,
  limits: Pick<SandboxLimits, "memoryBytes" | "processes">,
): string[] {
  return [
    ...[deps.systemdRun, ...(deps.isRoot ? [] : ["--user"]), "--scope", "--quiet", "--collect"],
    ...[`--property=MemoryMax=${limits.memoryBytes}`, "--property=MemorySwapMax=0"],
    ...[`--property=TasksMax=${limits.processes}`, "--"],
  ];
}

function succeeds(file: string, args: readonly string[], environment: Readonly<Record<string, string>>) {
  return new Promise<boolean>((resolve) => {
    const child = spawn(file, [...args], { env: { ...environment }, stdio: "ignore", timeout: probeTimeoutMs });
    child.once("error", () => resolve(false));
    child.once("exit", (exitCode) => resolve(exitCode === 0));
  });
}
