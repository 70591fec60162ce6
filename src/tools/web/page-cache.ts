/** Forgets a page when its time is over, and the oldest ones when they become too many. */
export function openPageCache<Page>(deps: { nowMs(): number }, limits: { maxBytes: number; keepMs: number }) {
  // a Map keeps the order of insertion, so the oldest page comes first
  const kept = new Map<string, { page: Page; bytes: number; untilMs: number }>();
  return { get, set };

  function get(key: string): Page | undefined {
    const found = kept.get(key);
    return found && found.untilMs > deps.nowMs() ? found.page : undefined;
  }

  function set(key: string, page: Page, bytes: number): void {
    kept.delete(key);
    if (bytes > limits.maxBytes) return;
    kept.set(key, { page, bytes, untilMs: deps.nowMs() + limits.keepMs });
    for (const [oldest, entry] of kept) {
      if (entry.untilMs > deps.nowMs() && total() <= limits.maxBytes) return;
      kept.delete(oldest);
    }
  }

  function total(): number {
    return [...kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }
}
