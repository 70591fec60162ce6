/** At most so many in any stretch of that length, for each key; what is long past is forgotten. */
export type RateWindow = {
  /** Undefined when there is room, which is then used up; else how long until there is some. */
  take(key: string, nowMs: number): number | undefined;
};

export function openRateWindow(limits: { count: number; perMs: number }): RateWindow {
  const times = new Map<string, number[]>();
  return {
    take(key, nowMs) {
      for (const [other, taken] of times) if ((taken.at(-1) ?? 0) <= nowMs - limits.perMs) times.delete(other);
      const recent = (times.get(key) ?? []).filter((time) => time > nowMs - limits.perMs);
      times.set(key, recent);
      const oldest = recent[0];
      if (oldest !== undefined && recent.length >= limits.count) return oldest + limits.perMs - nowMs;
      recent.push(nowMs);
      return undefined;
    },
  };
}
