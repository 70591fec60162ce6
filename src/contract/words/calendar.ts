// The owner's days: budgets, the page and the command line all count by these.

/** The day that a moment belongs to where the owner lives, such as `2026-11-15`. */
export type Calendar = (atMs: number) => string;

export function openCalendar(timeZone: string): Calendar {
  // Sweden writes its dates as 2026-11-15
  const format = new Intl.DateTimeFormat("sv-SE", { year: "numeric", month: "2-digit", day: "2-digit", timeZone });
  return (atMs) => format.format(atMs);
}

/** The last days up to and with this one, oldest first. */
export function lastDays(today: string, count: number): string[] {
  const noon = Date.parse(`${today}T12:00:00Z`);
  return Array.from({ length: count }, (_, index) =>
    new Date(noon - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );
}
