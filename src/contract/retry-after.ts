/** How long the header `Retry-After` asks to wait: seconds or a date, as HTTP allows. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const value = header?.trim() ?? "";
  const afterMs = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isNaN(afterMs) ? undefined : Math.max(0, afterMs);
}
