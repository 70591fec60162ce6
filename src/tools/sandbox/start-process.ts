import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export type Program = {
  file: string;
  args: readonly string[];
  /** Of the launcher, not of the command. */
  environment: Readonly<Record<string, string>>;
  cwd: string;
  takesInput: boolean;
  /** An open file for both streams; without it they come by pipes. */
  output?: number;
  /** What the child gets from descriptor 3 on. */
  descriptors: readonly (number | "pipe" | "ignore")[];
};

export function startProcess(program: Program): ChildProcess {
  const output = program.output ?? "pipe";
  const child = spawn(program.file, [...program.args], {
    cwd: program.cwd,
    env: { ...program.environment },
    stdio: [program.takesInput ? "pipe" : "ignore", output, output, ...program.descriptors],
    // a group of its own, so that one signal reaches all of it
    detached: true,
  });
  // a command may end without reading what it was sent; its exit code tells the story
  for (const stream of child.stdio) stream?.on("error", () => {});
  return child;
}

/** What a program said last, which is most often why it failed. */
export function lastLineOf(text: string, otherwise: string): string {
  return text.trim().split("\n").at(-1) || otherwise;
}

/** Ends a process, or a whole group by its negative number. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has ended by itself, which is what was wanted
  }
}

/** Empty for a process that is not there any more. */
export function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    // it ended between the listing and the look
    return "";
  }
}
