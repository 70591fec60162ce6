import type { Clock, DayPart } from "./find-clock.ts";
import { distancePattern, readDistance } from "./find-delay.ts";
import { areNeighbours, type Piece, type Span, spanOf } from "./phrase.ts";
import {
  monthDays,
  monthDaysOf,
  pluralWeekdays,
  severalWeekdays,
  weekday,
  weekdayList,
  weekdayOf,
  weekdaysOf,
  yearDay,
  yearDayOf,
} from "./weekday-words.ts";

/** What comes again: by the clock alone, every so many days, or on days that a cron expression names. */
export type Recurrence =
  | { kind: "distance"; everyMs: number }
  | { kind: "hourly" }
  | { kind: "days"; count: number; weekday?: number }
  | { kind: "cron"; day: string; month: string; weekday: string; part?: DayPart; clock?: Clock }
  | { kind: "refused"; problem: string };

type Read = (found: Record<string, string | undefined>) => Recurrence;

type Pattern = { pattern: RegExp; read: Read };

const every = "\\b(?:on\\s{1,3})?(?:every|each)\\s{1,3}";
const part = "(?:\\s{1,3}(?<part>morning|afternoon|evening|night)s?\\b)?";
const dayMs = 86_400_000;

// The first that is found wins, so what says more stands before what says less.
const named: readonly Pattern[] = patterns([
  [
    "\\b(?:twice|thrice|(?:\\d{1,3}|two|three|four|five|six) times)\\s{1,3}(?:an?|per|each|every)\\s{1,3}(?:hour|day|week|month|year)\\b",
    refuseTimes,
  ],
  [`${every}(?:few|couple|now and then|so often|quarter\\b(?! (?:of an )?hour))`, refuseTimes],
  [
    `${every}(?:other|second|2nd)\\s{1,3}(?<unit>minute|hour|day|week|month|year)\\b(?:\\s{1,3}on\\s{1,3}(?<weekday>${weekday})\\b)?`,
    readOther,
  ],
  [`(?:${every}fortnight|\\bfortnightly|\\bbiweekly)\\b(?:\\s{1,3}on\\s{1,3}(?<weekday>${weekday})\\b)?`, readOther],
  [`${every}(?:other|second|2nd)\\s{1,3}(?<weekday>${weekday})\\b(?!\\s{1,3}(?:of|in) )`, readOther],
  [
    `${every}(?<distance>${distancePattern}|half[ -]hour|quarter[ -]hour|hour and a half)(?:\\s{1,3}on\\s{1,3}(?<weekday>${weekday})\\b)?`,
    readEvery,
  ],
  [`${every}hour(?:,? on the hour)\\b`, () => ({ kind: "hourly" })],
  [
    `${every}(?<unit>minute|hour)\\b`,
    ({ unit = "" }) => ({ kind: "distance", everyMs: /minute/i.test(unit) ? 60_000 : 3_600_000 }),
  ],
  [
    `(?:\\bon\\s{1,3})?(?:\\bthe\\s{1,3}|${every})?\\b(?<days>${monthDays})\\s{1,3}(?:day\\s{1,3})?(?:of|in)\\s{1,3}(?:every|each)\\s{1,3}month\\b`,
    readMonthly,
  ],
  [`${every}(?<days>${monthDays})\\s{1,3}(?:of|in)\\s{1,3}(?:the|a)\\s{1,3}month\\b`, readMonthly],
  [`${every}month(?:,?\\s{1,3}on\\s{1,3}(?:the\\s{1,3})?(?<days>${monthDays}))?`, readMonthly],
  [`(?:\\bon\\s{1,3})?\\b(?<date>${yearDay}),?\\s{1,3}(?:every|each)\\s{1,3}year\\b`, readYearly],
  [`${every}(?:year,?\\s{1,3}on\\s{1,3})?(?<date>${yearDay})`, readYearly],
  [`${every}year\\b`, readYearly],
  [`${every}(?<days>\\d{1,2}(?:st|nd|rd|th))\\b`, readMonthly],
  [`${every}(?:week|work(?:ing)?|business)[ -]?days?\\b${part}`, ({ part }) => weekdays("1-5", part)],
  ["\\bweekday\\s{1,3}(?<part>morning|afternoon|evening|night)s\\b", ({ part }) => weekdays("1-5", part)],
  [`${every}weekends?\\b${part}`, ({ part }) => weekdays("0,6", part)],
  [
    `${every}(?:week,?\\s{1,3}on\\s{1,3})?(?<list>${weekdayList})${part}`,
    ({ list = "", part }) => weekdays(weekdaysOf(list), part),
  ],
  [`${every}week\\b`, () => weekdays("1")],
  [
    `${every}(?:single\\s{1,3})?day\\b${part}|${every}(?<named>morning|afternoon|evening|night|noon|midday|midnight)\\b`,
    readDaily,
  ],
  [`(?:\\bon\\s{1,3})?\\b(?:week|work(?:ing)?|business)[ -]?days\\b${part}`, ({ part }) => weekdays("1-5", part)],
  [
    `(?:\\b(?:on|at)\\s{1,3})(?:the\\s{1,3})?weekends\\b${part}|\\bweekends\\b${part.replace("part", "later")}`,
    ({ part, later }) => weekdays("0,6", part ?? later),
  ],
  [`(?:\\bon\\s{1,3})?\\b(?<list>${pluralWeekdays})${part}`, ({ list = "", part }) => weekdays(weekdaysOf(list), part)],
  [
    `\\b(?<list>mon(?:day)?\\s{0,3}(?:-|–|to|through)\\s{0,3}fri(?:day)?)\\b${part}`,
    ({ list = "", part }) => weekdays(weekdaysOf(list), part),
  ],
  [`\\b(?:next|this|last|past)\\s{1,3}${severalWeekdays}`, refuseDays],
  // whoever names several days without more means each of them, every week
  [
    `(?:\\bon\\s{1,3})?\\b(?<list>${severalWeekdays})${part}`,
    ({ list = "", part }) => weekdays(weekdaysOf(list), part),
  ],
]);

// These are also said of other things ("the weekly report"), so they count only beside a time or at the end of the words.
const adverbs: readonly Pattern[] = patterns([
  ["\\bhourly\\b", () => ({ kind: "hourly" })],
  ["\\b(?:daily|everyday|once\\s{1,3}an?\\s{1,3}day)\\b", readDaily],
  ["\\bnightly\\b", () => readDaily({ named: "night" })],
  [
    `\\b(?:weekly|once\\s{1,3}an?\\s{1,3}week)\\b(?:,?\\s{1,3}on\\s{1,3}(?<list>${weekdayList}))?`,
    ({ list }) => weekdays(list ? weekdaysOf(list) : "1"),
  ],
  [
    `\\b(?:monthly|once\\s{1,3}an?\\s{1,3}month)\\b(?:,?\\s{1,3}on\\s{1,3}(?:the\\s{1,3})?(?<days>${monthDays}))?`,
    readMonthly,
  ],
  [`\\b(?:yearly|annually|once\\s{1,3}an?\\s{1,3}year)\\b(?:,?\\s{1,3}on\\s{1,3}(?<date>${yearDay}))?`, readYearly],
]);

// most sentences speak of nothing that comes again, and need not pay for patterns of this size
const mayRecur =
  /\b(?:every(?:day)?|each|once|twice|thrice|times|[a-z]+ly|weekends|[a-z-]*days?|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)\b/i;

/** What comes again in a text whose times of day (`clocks`) are blanked out. */
export function findRecurrence(text: string, clocks: readonly Span[]): Piece<Recurrence> | undefined {
  if (!mayRecur.test(text)) return undefined;
  for (const { pattern, read } of named) {
    for (const match of text.matchAll(pattern)) return { ...spanOf(match), meaning: read(match.groups ?? {}) };
  }
  for (const { pattern, read } of adverbs) {
    for (const match of text.matchAll(pattern)) {
      const span = spanOf(match);
      const isLast =
        /^[\s.!,]*$/.test(text.slice(span.to)) || /^,?\s{1,3}(?:to|at)\s/i.test(text.slice(span.to, span.to + 8));
      const isBesideTime = clocks.some((clock) => areNeighbours(text, span, clock));
      if (isLast || isBesideTime) return { ...span, meaning: read(match.groups ?? {}) };
    }
  }
  return undefined;
}

function patterns(table: readonly [source: string, read: Read][]): Pattern[] {
  return table.map(([source, read]) => ({ pattern: new RegExp(source, "gi"), read }));
}

function refuseTimes(): Recurrence {
  return {
    kind: "refused",
    problem:
      'Say at which times. Write for example "every day at 9am", "every 4 hours", or 0 9,18 * * * for two times a day.',
  };
}

function refuseDays(): Recurrence {
  return {
    kind: "refused",
    problem: 'That is more than one day. Make one for each, or write "every Monday and Thursday at 9" for every week.',
  };
}

function readOther({ unit = "week", weekday }: Record<string, string | undefined>): Recurrence {
  switch (unit.toLowerCase()) {
    case "minute":
      return { kind: "distance", everyMs: 120_000 };
    case "hour":
      return { kind: "distance", everyMs: 7_200_000 };
    case "day":
      return { kind: "days", count: 2 };
    case "week":
      return { kind: "days", count: 14, ...(weekday ? { weekday: weekdayOf(weekday) } : {}) };
    default:
      return refuseMonths();
  }
}

function readEvery({ distance = "", weekday }: Record<string, string | undefined>): Recurrence {
  if (/^(?:half|quarter)[ -]hour$/i.test(distance))
    return { kind: "distance", everyMs: /^half/i.test(distance) ? 1_800_000 : 900_000 };
  if (/^hour/i.test(distance)) return { kind: "distance", everyMs: 5_400_000 };
  const { years, months, weeks, days, ms } = readDistance(distance);
  if (years + months > 0) return refuseMonths();
  const count = 7 * weeks + days;
  if (count === 0) return { kind: "distance", everyMs: ms };
  if (ms > 0) return { kind: "distance", everyMs: count * dayMs + ms };
  if (count === 1) return readDaily({});
  if (weekday && count % 7 !== 0) return refuseTimes();
  return { kind: "days", count, ...(weekday ? { weekday: weekdayOf(weekday) } : {}) };
}

function refuseMonths(): Recurrence {
  return {
    kind: "refused",
    problem:
      'Several months or years at a time are said by a cron expression: 0 9 1 */3 * is the 1st of every third month at 09:00. Or write "every month on the 1st at 9am".',
  };
}

function readMonthly({ days = "1" }: Record<string, string | undefined>): Recurrence {
  const fields = monthDaysOf(days);
  if (fields) return { kind: "cron", month: "*", ...fields };
  return { kind: "refused", problem: 'No month has such a day. Write for example "every month on the 1st at 8am".' };
}

function readYearly({ date }: Record<string, string | undefined>): Recurrence {
  if (date) return { kind: "cron", weekday: "*", ...yearDayOf(date) };
  return {
    kind: "refused",
    problem: 'Say on which day of the year. Write for example "every year on 24 December at 18:00".',
  };
}

function readDaily({ part, named }: Record<string, string | undefined>): Recurrence {
  const name = (named ?? part)?.toLowerCase();
  const daily = { kind: "cron", day: "*", month: "*", weekday: "*" } as const;
  if (name === "noon" || name === "midday") return { ...daily, clock: { hour: 12, minute: 0, isOpen: false } };
  if (name === "midnight") return { ...daily, clock: { hour: 0, minute: 0, isOpen: false } };
  return name ? { ...daily, part: name as DayPart } : daily;
}

function weekdays(field: string, part?: string): Recurrence {
  const days = { kind: "cron", day: "*", month: "*", weekday: field } as const;
  return part ? { ...days, part: part.toLowerCase() as DayPart } : days;
}
