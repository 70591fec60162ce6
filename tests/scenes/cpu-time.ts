/** Milliseconds of the processor that this thread has used so far; what else the machine does hardly adds to them. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** How many of them a piece of work takes: to show that no input makes it slow, on a busy machine too. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const beganMs = cpuMs();
  await work();
  return cpuMs() - beganMs;
}
