import { type ChildProcess, spawn } from "node:child_process";

export type Program = {
  file: string;
  args: readonly string[];
  /** Of the launcher, not of the command. */
  environment: Readonly<Record<string, string>>;
  cwd: string;
  takesInput: boolean;
  /** What the child gets from descriptor 3 on. */
  descriptors: readonly (number | "pipe" | "ignore")[];
};

export function startProcess(program: Program): ChildProcess {
  const child = spawn(program.file, [...program.args], {
    cwd: program.cwd,
    env: { ...program.environment },
    stdio: [program.takesInput ? "pipe" : "ignore", "pipe", "pipe", ...program.descriptors],
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
