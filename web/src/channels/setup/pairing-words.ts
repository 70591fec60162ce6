import { formatDuration } from "../../../../src/contract/words/amounts.ts";

const minute = 60_000;

/** "ABCD" and "EFGH": two halves are easier to read across to a phone than eight letters. */
export function codeGroups(code: string): readonly string[] {
  const letters = code.replace(/[^A-Za-z0-9]/g, "").toUpperCase();
  return letters.match(/.{1,4}/g) ?? [];
}

/** "59 min left", "45 s left"; undefined once it is over. */
export function leftWords(expiresAtMs: number, nowMs: number): string | undefined {
  const leftMs = expiresAtMs - nowMs;
  if (leftMs <= 0) return undefined;
  if (leftMs < minute) return `${Math.ceil(leftMs / 1_000)} s left`;
  return `${formatDuration(Math.floor(leftMs / minute) * minute)} left`;
}

export function openCodesWords(codes: number): string {
  const words = codes === 1 ? "1 pairing code is" : `${codes} pairing codes are`;
  return `${words} open and not used yet.`;
}

/** So many at a time; one more ends the oldest. */
export const mostCodes = 3;
