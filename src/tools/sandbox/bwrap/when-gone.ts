import { readFileSync } from "node:fs";
import { setImmediate, setTimeout } from "node:timers/promises";
import { endProcess } from "../start-process.ts";

// about two milliseconds: what is dying is usually that far by then
const hurriedAttempts = 40;
const attempts = 2_000;
const pauseMs = 1;
/** The kernel's mark on a process that is ending and runs no more of its own code. */
const isEnding = 0x4;

/**
 * Whether a box, looked at by its first process, soon holds nobody who could still do anything. The kernel may take
 * longer to clear its mounts away.
 */
export async function isSoonPowerless(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < hurriedAttempts; attempt++) {
    if (isPowerless(pid)) return true;
    await setImmediate();
  }
  return false;
}

/** Ends a box by its first process, whoever else says that it is over. */
export function endBox(pid: number): void {
  try {
    // its number may have been given to somebody else meanwhile
    if (/^NSpid:\t\d+\t.*\b1$/m.test(readFileSync(`/proc/${pid}/status`, "latin1"))) endProcess(pid);
  } catch {
    // it has ended
  }
}

/** Waits for the end of a box's first process: the kernel has ended every other process of the box before it. */
export async function whenGone(pid: number): Promise<void> {
  for (let attempt = 0; !readState(pid).hasEnded; attempt++) {
    if (attempt === attempts) throw new Error(`a process of the command is still running in the box of ${pid}`);
    await setTimeout(pauseMs);
  }
}

function isPowerless(pid: number): boolean {
  const { hasEnded, flags, threads } = readState(pid);
  return hasEnded || ((flags & isEnding) !== 0 && threads === 1 && !hasChildren(pid));
}

function readState(pid: number): { hasEnded: boolean; flags: number; threads: number } {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // the program's name stands before these in brackets and may hold some itself
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { hasEnded: /^[ZX]$/.test(fields[0] ?? ""), flags: Number(fields[6]), threads: Number(fields[17]) };
  } catch {
    // already taken away by whoever collects the dead
    return { hasEnded: true, flags: 0, threads: 0 };
  }
}

/** Whoever is left in a box is, or descends from, a child of its first process. */
function hasChildren(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1") !== "";
  } catch {
    // gone meanwhile, which the next look will see, or a kernel that does not tell
    return true;
  }
}
