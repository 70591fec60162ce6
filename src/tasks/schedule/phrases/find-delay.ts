import { dayMs, zoned } from "../zone.ts";
import { amount, numberOf, type Piece, type Place, spanOf } from "./phrase.ts";

/** Years, months, weeks and days are those of the calendar; the others pass by the clock. */
export type Distance = { years: number; months: number; weeks: number; days: number; ms: number };

const unit =
  "milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|wks?|w|fortnights?|months?|years?|yrs?|y";
const one = `(?:(?:(?:${amount})(?: and a half)?\\s{0,3}|half\\s{1,3}(?:an?\\s{1,3})?|an?\\s{1,3})(?:${unit})(?![a-z])(?:\\s{1,3}and\\s{1,3}a\\s{1,3}half\\b)?|(?:a )?quarter of an hour\\b)`;
/** One or more amounts of time, such as `1h30m`, "an hour and a half", "2 days and 4 hours". */
export const distancePattern = `${one}(?:(?:\\s{0,3},\\s{0,3}|\\s{1,3}and\\s{1,3}|\\s{0,3})${one}){0,2}`;

// Most sentences have none of these words, and need not pay for patterns of this size.
const delayPatterns: readonly [word: RegExp, pattern: RegExp][] = [
  [
    /\b(?:in|after)\b/i,
    new RegExp(
      `\\b(?:in|after)\\s{1,3}(?:about\\s{1,3})?(${distancePattern})(?:['’]s?\\s{1,3}time\\b)?(?:\\s{1,3}from\\s{1,3}now\\b)?`,
      "i",
    ),
  ],
  [/\b(?:timer|alarm)\b/i, new RegExp(`(?<=\\b(?:timer|alarm)\\s{1,3})for\\s{1,3}(${distancePattern})`, "i")],
  [/\bfrom\s+now\b/i, new RegExp(`\\b(${distancePattern})\\s{1,3}from\\s{1,3}now\\b`, "i")],
];

/** "in 20 minutes", "two weeks from now". */
export function findDelay(text: string): Piece<Distance> | undefined {
  for (const [word, pattern] of delayPatterns) {
    const match = word.test(text) ? pattern.exec(text) : null;
    if (match) return { ...spanOf(match), meaning: readDistance(match[1] ?? "") };
  }
  return undefined;
}

export function readDistance(text: string): Distance {
  const distance: Distance = { years: 0, months: 0, weeks: 0, days: 0, ms: 0 };
  const parts = new RegExp(
    `(?<quarter>quarter of an hour)|(?:(?<count>${amount})(?<more> and a half)?\\s{0,3}|(?<part>half)\\s{1,3}(?:an?\\s{1,3})?|\\ban?\\s{1,3})(?<unit>${unit})(?![a-z])(?<rest>\\s{1,3}and\\s{1,3}a\\s{1,3}half\\b)?`,
    "gi",
  );
  for (const { groups = {} } of text.matchAll(parts)) {
    const whole = groups.count === undefined ? 1 : numberOf(groups.count);
    const count = groups.quarter ? 0.25 : (groups.part ? 0.5 : whole) + (groups.more || groups.rest ? 0.5 : 0);
    add(distance, count, (groups.unit ?? "h").toLowerCase());
  }
  return distance;
}

/** That long from now: whole days keep the time of day, whatever the clocks do in between. */
export function momentAfter(place: Place, { ms, ...calendar }: Distance): number {
  const { years, months, weeks, days } = calendar;
  // no calendar reaches so far
  if (years + months / 12 + weeks / 52 + days / 365 > 7_000) return Number.POSITIVE_INFINITY;
  return zoned(place.timeZone, place.nowMs).add(calendar).epochMilliseconds + ms;
}

const clockUnits: [begins: RegExp, ms: number][] = [
  [/^(?:ms|msec|milli)/, 1],
  [/^s/, 1_000],
  [/^(?:m|mins?|minutes?)$/, 60_000],
  [/^h/, 3_600_000],
];

const daysIn: Readonly<Record<string, number>> = { d: 1, w: 7, f: 14 };

function add(distance: Distance, count: number, unit: string): void {
  const clock = clockUnits.find(([begins]) => begins.test(unit));
  if (clock) {
    distance.ms += Math.round(count * clock[1]);
    return;
  }
  const whole = Math.floor(count);
  const part = count - whole;
  if (unit.startsWith("d")) distance.days += whole;
  else if (unit.startsWith("w")) distance.weeks += whole;
  else if (unit.startsWith("f")) distance.weeks += 2 * whole;
  else if (unit.startsWith("mo")) distance.months += whole;
  else distance.years += whole;
  // half a year is six months; half a month is taken as fifteen days
  if (unit.startsWith("y")) distance.months += Math.round(part * 12);
  else distance.ms += Math.round(part * (daysIn[unit.charAt(0)] ?? 30) * dayMs);
}
