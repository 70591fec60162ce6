const firstMs = 250;
const longestMs = 5000;

/** Doubles up to five seconds; between half and all of it, so that many pages do not come back in the same instant. */
export function reconnectDelayMs(failures: number, random: number): number {
  const whole = Math.min(longestMs, firstMs * 2 ** Math.min(failures, 16));
  return Math.round(whole * (0.5 + random / 2));
}
