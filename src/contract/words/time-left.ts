import { formatDuration } from "./amounts.ts";

/** How long a question stays open, in the same words wherever it is shown. */
export function timeLeft(expiresAtMs: number, nowMs: number): { text: string; isSoon: boolean } {
  const left = expiresAtMs - nowMs;
  if (left <= 0) return { text: "Time is up: it counts as no", isSoon: true };
  return { text: `Counts as no in ${formatDuration(rounded(left))}`, isSoon: left < 60_000 };
}

// seconds matter only at the end; before that they would only flicker
function rounded(leftMs: number): number {
  if (leftMs < 60_000) return Math.max(1000, Math.floor(leftMs / 1000) * 1000);
  if (leftMs < 3_600_000) return Math.ceil(leftMs / 60_000) * 60_000;
  return leftMs < 86_400_000 ? Math.ceil(leftMs / 600_000) * 600_000 : leftMs;
}
