import { quantile, steadyMs } from "./figures.ts";

export type Load = { perSecond: number; p50Ms: number; p95Ms: number; cpuMsEach: number };

/** So many lanes side by side, each doing one thing after the other; the CPU is of whoever does the work. */
export async function runLoad(
  shape: { lanes: number; each: number; cpuSeconds: () => number },
  act: (lane: number, at: number) => Promise<unknown>,
): Promise<Load> {
  const durations: number[] = [];
  const cpuBefore = shape.cpuSeconds();
  const startedMs = steadyMs();
  await Promise.all(Array.from({ length: shape.lanes }, (_, lane) => runLane(lane)));
  const seconds = (steadyMs() - startedMs) / 1000;
  return {
    perSecond: durations.length / seconds,
    p50Ms: quantile(durations, 0.5),
    p95Ms: quantile(durations, 0.95),
    cpuMsEach: ((shape.cpuSeconds() - cpuBefore) * 1000) / durations.length,
  };

  async function runLane(lane: number): Promise<void> {
    for (let at = 0; at < shape.each; at++) {
      const beganMs = steadyMs();
      await act(lane, at);
      durations.push(steadyMs() - beganMs);
    }
  }
}
