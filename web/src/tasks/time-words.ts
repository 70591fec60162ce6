// When something comes or came, for the eyes of somebody in this browser's time zone.

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** "18:05": the same clock as in the words of the gateway, wherever this browser is. */
export function formatTime(atMs: number): string {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(atMs);
}

/** "now", "in 5 min", "in 3 h", "tomorrow", "in 4 days", "in 5 weeks", "in 7 months", "in 2 years". */
export function formatUntil(atMs: number, nowMs: number): string {
  const left = atMs - nowMs;
  if (left < minute / 2) return "now";
  if (left < 59.5 * minute) return `in ${Math.max(1, Math.round(left / minute))} min`;
  const days = daysBetween(nowMs, atMs);
  if (days === 0 || left < 6 * hour) return `in ${Math.round(left / hour)} h`;
  if (days === 1) return "tomorrow";
  if (days <= 30) return `in ${days} days`;
  if (days <= 90) return `in ${Math.round(days / 7)} weeks`;
  return days < 2 * 365 ? `in ${Math.round(days / 30.44)} months` : `in ${Math.round(days / 365.25)} years`;
}

/** "today, 18:00", "tomorrow, 09:00", "Wed 18 Nov, 09:00", with the year where it is another one. */
export function formatMoment(atMs: number, nowMs: number): string {
  const time = formatTime(atMs);
  const days = daysBetween(nowMs, atMs);
  if (days === 0) return `today, ${time}`;
  if (days === 1) return `tomorrow, ${time}`;
  if (days === -1) return `yesterday, ${time}`;
  return formatDate(atMs, nowMs);
}

/** "Wed 18 Nov, 09:00", with the year where it is another one: the day by its date, as in the words of the gateway. */
export function formatDate(atMs: number, nowMs: number): string {
  const isSameYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  const date = new Intl.DateTimeFormat("en-GB", {
    ...{ weekday: "short", day: "numeric", month: "short" },
    ...(isSameYear ? {} : { year: "numeric" }),
  }).format(atMs);
  return `${date.replaceAll(",", "")}, ${formatTime(atMs)}`;
}

/** "today, 18:00 · in 3 h" */
export function formatNext(atMs: number, nowMs: number): string {
  const until = formatUntil(atMs, nowMs);
  // a day that is named already needs no second word for it
  return until === "tomorrow" ? formatMoment(atMs, nowMs) : `${formatMoment(atMs, nowMs)} · ${until}`;
}

/** Two names of zones whose clocks show the same the year round: UTC is Etc/UTC, and Europe/Kiev is Europe/Kyiv. */
export function showSameClock(one: string, other: string, nowMs: number): boolean {
  if (one === other) return true;
  try {
    const [first, second] = [one, other].map(
      (timeZone) => new Intl.DateTimeFormat("en", { timeZone, dateStyle: "short", timeStyle: "short" }),
    );
    const weeks = Array.from({ length: 52 }, (_, week) => nowMs + week * 7 * day);
    return weeks.every((atMs) => first?.format(atMs) === second?.format(atMs));
  } catch {
    // a zone that this browser does not know is another one than its own
    return false;
  }
}

/** Days by the calendar, not by hours. */
export function daysBetween(fromMs: number, toMs: number): number {
  // rounded, because a day with a clock change has 23 or 25 hours
  return Math.round((new Date(toMs).setHours(0, 0, 0, 0) - new Date(fromMs).setHours(0, 0, 0, 0)) / day);
}
