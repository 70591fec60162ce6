export type Day<Item> = { name: string; items: Item[] };

/** Newest first in, newest day first out; the days are those of the reader's own clock. */
export function groupByDay<Item extends { atMs: number }>(items: readonly Item[], nowMs: number): Day<Item>[] {
  const days: Day<Item>[] = [];
  for (const item of items) {
    const name = dayName(item.atMs, nowMs);
    const last = days.at(-1);
    if (last?.name === name) last.items.push(item);
    else days.push({ name, items: [item] });
  }
  return days;
}

function dayName(atMs: number, nowMs: number): string {
  const midnight = new Date(nowMs).setHours(0, 0, 0, 0);
  if (atMs >= midnight) return "Today";
  if (atMs >= new Date(midnight - 1).setHours(0, 0, 0, 0)) return "Yesterday";
  const sameYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  return new Intl.DateTimeFormat(undefined, {
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(!sameYear && { year: "numeric" }),
  }).format(atMs);
}
