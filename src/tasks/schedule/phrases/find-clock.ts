import { monthNames, weekdayNames } from "../calendar-names.ts";
import { distancePattern, readDistance } from "./find-delay.ts";
import { blankOut, hourNumber, numberOf, type Piece, type Span, spanOf } from "./phrase.ts";

/** `isOpen`: it may be meant before or after noon. `isLed`: it is said to be when, as "at six" is and "the six o'clock news" is not. */
export type Clock = { hour: number; minute: number; isOpen: boolean; isLed?: boolean };

export type DayPart = "morning" | "afternoon" | "evening" | "night";

/** When a part of the day is, if no time is named. */
export const partHours: Readonly<Record<DayPart, number>> = { morning: 8, afternoon: 15, evening: 18, night: 21 };

// what may follow a time with a capital letter
const whenNames = [
  ...weekdayNames,
  ...monthNames,
  ...["Tomorrow", "Today", "Every", "Daily", "On", "In", "To", "This", "Next"],
];
const lead = "(?:\\b(?:at|around|by)\\s{1,3}(?:about\\s{1,3}|around\\s{1,3})?|(?<!\\w)@\\s?)";
const half = "\\s{0,3}(?<half>[ap])\\.?m\\b\\.?";
const oclock = "\\s{0,3}o['’]?\\s?clock";
// what follows a number that is no time: "at 20 degrees", "at 5 minutes", "at 3.5"
const notOther =
  "(?![:.,/-]?\\d|\\s?[%°€$£]|\\s{0,3}(?:percent|degrees?|minutes?|mins?|hours?|seconds?|days?|weeks?|months?|years?|euros?|dollars?|people|times|km|miles|past|to \\d)\\b)";

const patterns: [pattern: RegExp, read: (groups: Record<string, string | undefined>) => Clock | undefined][] = [
  [
    new RegExp(
      `${lead}?\\b(?<far>half|(?:a )?quarter|(?:five|ten|twenty|twenty-five|\\d{1,2})(?: minutes)?) (?<way>past|to) (?<hour>${hourNumber})\\b(?:${oclock})?(?:${half})?`,
      "gi",
    ),
    readPast,
  ],
  [
    new RegExp(
      `${lead}?(?<![\\w:./-])(?<hour>\\d{1,2})[:h](?<minute>[0-5]\\d)(?::[0-5]\\d)?(?:${half}|(?![\\w:]))`,
      "gi",
    ),
    readClock,
  ],
  [new RegExp(`${lead}(?<hour>\\d{1,2})\\.(?<minute>[0-5]\\d)(?:${half}|(?!\\w|\\.\\w))`, "gi"), readClock],
  [new RegExp(`${lead}?(?<![\\w:.-])(?<hour>${hourNumber})(?:${oclock})?${half}`, "gi"), readClock],
  [new RegExp(`${lead}?(?<![\\w:.-])(?<hour>${hourNumber})${oclock}\\b`, "gi"), readClock],
  [new RegExp(`${lead}?(?<!every |each )\\b(?<name>noon|midday|midnight)\\b`, "gi"), readNamed],
  [new RegExp(`${lead}(?<hour>${hourNumber})\\b${notOther}`, "gi"), readClock],
  [new RegExp(`(?<=${distancePattern}\\s(?:before|after)\\s)(?<hour>${hourNumber})\\b${notOther}`, "gi"), readClock],
];

/** Every time of day that is named, in order. */
export function findClocks(text: string): Piece<Clock>[] {
  const found: Piece<Clock>[] = [];
  let left = text;
  for (const [pattern, read] of patterns) {
    for (const match of left.matchAll(pattern)) {
      const span = spanOf(match);
      const clock = isAddress(match[0], left.slice(span.to, span.to + 20)) ? undefined : read(match.groups ?? {});
      if (clock) found.push({ ...span, meaning: { ...clock, isLed: /^(?:at|around|by|@)/i.test(match[0]) } });
    }
    left = blankOut(left, found);
  }
  const joined = found.flatMap((clock) => findFurther(left, clock));
  return [...found.map((clock) => movedBy(text, clock)), ...joined].sort((one, other) => one.from - other.from);
}

const distanceTo = new RegExp(`${lead}?\\b(?<distance>${distancePattern})\\s{1,3}(?<way>before|after)\\s{1,3}$`, "i");

/** "10 minutes before 9" */
function movedBy(text: string, clock: Piece<Clock>): Piece<Clock> {
  const from = Math.max(0, clock.from - 60);
  const before = text.slice(from, clock.from);
  const match = /(?:before|after)\s{1,3}$/i.test(before) ? distanceTo.exec(before) : null;
  const { years, months, weeks, days, ms } = readDistance(match?.groups?.distance ?? "");
  if (!match || years + months + weeks + days > 0 || ms % 60_000 !== 0) return clock;
  const { hour, minute, isOpen } = clock.meaning;
  const moved = hour * 60 + minute + (/before/i.test(match[0]) ? -1 : 1) * (ms / 60_000);
  // ten to midnight is still said of the day that ends with it
  const isMidnight = hour === 0 && minute === 0;
  if (ms > 12 * 3_600_000 || (!isOpen && !isMidnight && (moved < 0 || moved >= 24 * 60))) return clock;
  const round = isOpen ? 12 * 60 : 24 * 60;
  const minutes = (moved + round) % round;
  const full = Math.floor(minutes / 60);
  const meaning = { hour: isOpen && full === 0 ? 12 : full, minute: minutes % 60, isOpen, isLed: true };
  return { from: from + match.index, to: clock.to, meaning };
}

const further = `(?:\\s?,\\s?(?:and )?|\\sand\\s)(?<hour>${hourNumber})\\b${notOther}(?!\\s?[ap]\\.?m)`;

/** "at 9, 12 and 18" */
function findFurther(text: string, { to }: Span): Piece<Clock>[] {
  const found: Piece<Clock>[] = [];
  const pattern = new RegExp(further, "iy");
  pattern.lastIndex = to;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const clock = readClock(match.groups ?? {});
    if (!clock) break;
    found.push({ ...spanOf(match), meaning: clock });
  }
  return found;
}

// "at 10 Downing Street"
function isAddress(words: string, after: string): boolean {
  if (!/\d$/.test(words)) return false;
  const [name] = /^ [A-Z][a-z]+\b/.exec(after) ?? [];
  return name !== undefined && !whenNames.some((day) => day.startsWith(name.trim().slice(0, 3)));
}

function readClock({ hour: written = "", minute = "0", half }: Record<string, string | undefined>): Clock | undefined {
  const hour = numberOf(written);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    return { hour: (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0), minute: Number(minute), isOpen: false };
  }
  if (hour > 24 || (hour === 24 && Number(minute) > 0)) return undefined;
  // 06:30 is written by those who count to 24
  const isOpen = hour >= 1 && hour <= 12 && !/^0/.test(written);
  return { hour: hour % 24, minute: Number(minute), isOpen };
}

function readPast({ far = "", way = "", hour, half }: Record<string, string | undefined>): Clock | undefined {
  const minutes = /half/i.test(far) ? 30 : /quarter/i.test(far) ? 15 : minutesOf(far);
  const full = readClock({ hour, half });
  if (!full || minutes > 59) return undefined;
  if (/past/i.test(way)) return { ...full, minute: minutes };
  // a quarter to one is after noon just as one is
  const before = full.isOpen && full.hour === 1 ? 12 : (full.hour + 23) % 24;
  return { ...full, hour: before, minute: 60 - minutes };
}

function minutesOf(far: string): number {
  const written = far.replace(/ minutes$/i, "");
  return /^twenty-five$/i.test(written) ? 25 : numberOf(written);
}

function readNamed({ name = "" }: Record<string, string | undefined>): Clock {
  return { hour: /midnight/i.test(name) ? 0 : 12, minute: 0, isOpen: false };
}

const partPattern =
  /\b(?:in the|this|at)\s{1,3}(?<part>morning|afternoon|evening|night)\b|\b(?<tonight>tonight)\b|(?<=\b(?:tomorrow|today|sunday|monday|tuesday|wednesday|thursday|friday|saturday)\s{1,3})(?<later>morning|afternoon|evening|night)\b/i;

/** A part of the day that is named; `isToday`: this one. */
export function findDayPart(text: string): Piece<{ part: DayPart; isToday: boolean }> | undefined {
  const match = partPattern.exec(text);
  if (!match) return undefined;
  const { part, later, tonight } = match.groups ?? {};
  const meant = (tonight ? "night" : (part ?? later ?? "").toLowerCase()) as DayPart;
  return { ...spanOf(match), meaning: { part: meant, isToday: tonight !== undefined || /^this/i.test(match[0]) } };
}
