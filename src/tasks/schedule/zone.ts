// Clocks on the wall: what they show at a moment, and when they show it. A wall time is counted in milliseconds as if it were UTC.

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/** The end of the year 9999, the last moment that a schedule can name. */
export const endOfTimeMs = 253_402_300_799_999;

export function isTimeZone(name: string): boolean {
  try {
    offsetMs(name, 0);
    return true;
  } catch {
    // the answer to the question: there is no other way to ask
    return false;
  }
}

export function offsetMs(timeZone: string, atMs: number): number {
  return zoned(timeZone, atMs).offsetNanoseconds / 1_000_000;
}

export function wallAt(timeZone: string, atMs: number): number {
  return atMs + offsetMs(timeZone, atMs);
}

export function zoned(timeZone: string, atMs: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone);
}

/** Midnight of the day that a wall time belongs to. */
export function wallDay(wallMs: number): number {
  return Math.floor(wallMs / dayMs) * dayMs;
}

/** The offsets before and after a day; they differ when the clocks are changed on it or beside it. */
export type OffsetsAround = { before: number; after: number };

export function offsetsAround(timeZone: string, day: number): OffsetsAround {
  return { before: offsetMs(timeZone, day - dayMs), after: offsetMs(timeZone, day + 2 * dayMs) };
}

/** Every moment at which the clocks show this: none in a skipped hour, two in a repeated one. */
export function momentsShowing(timeZone: string, wallMs: number, around: OffsetsAround): number[] {
  if (around.before === around.after) return [wallMs - around.before];
  const offsets = [Math.max(around.before, around.after), Math.min(around.before, around.after)];
  return offsets.filter((offset) => offsetMs(timeZone, wallMs - offset) === offset).map((offset) => wallMs - offset);
}

/**
 * The one moment that is meant by a time of day: the first, if the clocks show it twice; if they skip it, as much later as they
 * skip (02:30 becomes 03:30), as calendars do it (RFC 5545).
 */
export function momentMeant(timeZone: string, wallMs: number, around?: OffsetsAround): number {
  const offsets = around ?? offsetsAround(timeZone, wallDay(wallMs));
  return momentsShowing(timeZone, wallMs, offsets)[0] ?? wallMs - offsets.before;
}
