// The real sandbox of this machine, as Steward opens it; a test may change a part of it.
import { readdirSync, readFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { type BwrapDeps, openBwrapSandbox } from "../../../src/tools/sandbox/bwrap/bwrap-sandbox.ts";
import { boxFilter } from "../../../src/tools/sandbox/bwrap/seccomp/box-filter.ts";
import type { SandboxDeps } from "../../../src/tools/sandbox/choose-sandbox.ts";
import { chooseLimits } from "../../../src/tools/sandbox/limits/choose-limits.ts";
import type { CommandEnd, Sandbox, SandboxCommand } from "../../../src/tools/sandbox/sandbox.ts";

export const isRoot = process.getuid?.() === 0;

export function sandboxDeps(stewardHome: string): SandboxDeps {
  return {
    settings: { kind: "auto", image: "unused", runtime: null, cpus: 1 },
    platform: process.platform,
    ownUser: { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 },
    places: { stewardHome, userHome: homedir() },
    temporaryFolder: tmpdir(),
    node: process.execPath,
    launchEnvironment: {},
    newId: () => Math.random().toString(36).slice(2, 10),
    hideValues: () => {},
    redact: (text: string) => text,
  };
}

/** The driver itself, so that a test can take one guard away. */
export async function bwrapWith(stewardHome: string, change: Partial<BwrapDeps> = {}): Promise<Sandbox> {
  const limits = await chooseLimits({
    isRoot,
    systemdRun: undefined,
    launchEnvironment: {},
    newId: sandboxDeps(stewardHome).newId,
  });
  const tools = { unshare: "/usr/bin/unshare", setpriv: "/usr/bin/setpriv", shell: "/bin/sh", mount: "/usr/bin/mount" };
  return openBwrapSandbox({
    bwrap: "/usr/bin/bwrap",
    filter: boxFilter(process.arch) ?? Buffer.alloc(0),
    prlimit: "/usr/bin/prlimit",
    socat: "/usr/bin/socat",
    places: { stewardHome, userHome: homedir() },
    limits,
    launchEnvironment: {},
    ...(isRoot ? { rootTools: tools } : {}),
    ...change,
  });
}

export async function runToEnd(sandbox: Sandbox, command: SandboxCommand): Promise<{ text: string; end: CommandEnd }> {
  const running = sandbox.run(command);
  let text = "";
  for await (const piece of running.output) text += piece.text;
  return { text, end: await running.finished };
}

/** Beginning of a script that says whether its box was there before now, by when its shell was started. */
export function tellsOrigin(): string {
  const ticks = Math.floor(Number(readFileSync("/proc/uptime", "latin1").split(" ")[0]) * 100);
  return `[ $(cut -d ' ' -f 22 /proc/$$/stat) -lt ${ticks} ] && echo waited || echo new; `;
}

/** Processes of the whole machine whose command line holds a mark. */
export function processesWith(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && commandLineOf(name).includes(mark))
    .map(Number);
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    // it ended between the listing and the look
    return "";
  }
}
