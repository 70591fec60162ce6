/** Ends a process, or a whole group by its negative number. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has ended by itself, which is what was wanted
  }
}
