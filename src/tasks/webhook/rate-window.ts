const callsPerMinute = 60;
const minuteMs = 60_000;

/** At most so many in any stretch of a minute, for each key; what is long past is forgotten. */
export function openRateWindow() {
  const times = new Map<string, number[]>();
  return {
    /** Undefined when there is room, which is then used up; else how long until there is some. */
    take(key: string, nowMs: number): number | undefined {
      for (const [other, taken] of times) if ((taken.at(-1) ?? 0) <= nowMs - minuteMs) times.delete(other);
      const recent = (times.get(key) ?? []).filter((time) => time > nowMs - minuteMs && time <= nowMs);
      times.set(key, recent);
      const oldest = recent[0];
      if (oldest !== undefined && recent.length >= callsPerMinute) return oldest + minuteMs - nowMs;
      recent.push(nowMs);
      return undefined;
    },
  };
}
