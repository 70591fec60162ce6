import { readRetryAfter } from "../../contract/retry-after.ts";

const longestWaitMs = 60_000;
const firstBackoffMs = 500;
const longestBackoffMs = 30_000;

/** What the server asked for by `retry-after-ms` or `retry-after` (seconds or a date), never more than a minute. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const exact = Number.parseFloat(headers["retry-after-ms"] ?? "");
  const asked = Number.isFinite(exact) ? exact : readRetryAfter(headers["retry-after"], nowMs);
  return asked === undefined ? undefined : Math.min(longestWaitMs, Math.max(0, asked));
}

/** Doubles with every failed attempt; the lower half is left to chance so that many clients do not come back at once. */
export function backoffMs(failedAttempts: number, random: number): number {
  const full = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (failedAttempts - 1));
  return Math.round(full * (0.5 + random / 2));
}
