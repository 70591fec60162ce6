// Puts the pieces of a sentence together: days, times of day, what comes again, and how long from now.
import type { Schedule } from "../../../contract/task/task.ts";
import { dayMs, endOfTimeMs, hourMs, minuteMs, momentMeant, wallAt, wallDay } from "../zone.ts";
import { type Clock, type DayPart, findClocks, findDayPart, partHours } from "./find-clock.ts";
import { findDate, laterDay, type NamedDay } from "./find-date.ts";
import { findDelay, momentAfter } from "./find-delay.ts";
import { findRecurrence, type Recurrence } from "./find-recurrence.ts";
import { findZone } from "./find-zone.ts";
import { isUp, meantHour, possibleHours } from "./meant-hour.ts";
import { areNeighbours, blankOut, type Piece, type Place, type Span } from "./phrase.ts";

type Time = { hour: number; minute: number };

export type FoundTime = { ok: true; schedule: Schedule; spans: Span[] } | { ok: false; problem: string };

/** The hour of a day that is named without one. */
const usualClock: Clock = { hour: 9, minute: 0, isOpen: false };

/** Nothing, if the text says nothing about time. */
export async function findTime(text: string, place: Place): Promise<FoundTime | undefined> {
  const clocks = findClocks(text).filter(
    ({ from }) =>
      !/\b(?:until|till|from|between|before|after|to|than)\s+$/i.test(text.slice(Math.max(0, from - 12), from)),
  );
  const zone = findZone(text, clocks);
  if (zone?.problem) return { ok: false, problem: zone.problem };
  const found = await findIn(
    zone ? blankOut(text, [zone]) : text,
    clocks,
    zone ? { ...place, timeZone: zone.meaning } : place,
  );
  return found?.ok && zone ? { ...found, spans: [...found.spans, zone] } : found;
}

async function findIn(text: string, clocks: readonly Piece<Clock>[], place: Place): Promise<FoundTime | undefined> {
  const left = blankOut(text, clocks);
  const recurrence = findRecurrence(left, clocks);
  if (recurrence) return repeated(text, left, clocks, recurrence, place);
  const delay = findDelay(left);
  if (delay) return delayed(text, clocks, delay, place);
  return await single(text, left, clocks, place);
}

function repeated(
  text: string,
  left: string,
  clocks: readonly Piece<Clock>[],
  { meaning, ...span }: Piece<Recurrence>,
  place: Place,
): FoundTime {
  const own = clocksFor(text, clocks, span);
  const part = findDayPart(blankOut(left, [span]));
  const spans = [span, ...own, ...(part ? [part] : [])];
  const { timeZone, nowMs } = place;
  switch (meaning.kind) {
    case "refused":
      return { ok: false, problem: meaning.problem };
    case "distance":
      return { ok: true, schedule: { kind: "every", everyMs: meaning.everyMs, fromMs: nowMs }, spans: [span] };
    case "hourly":
      return { ok: true, schedule: { kind: "cron", expression: "0 * * * *", timeZone }, spans: [span] };
    case "days": {
      if (own.length > 1) return { ok: false, problem: twoMinutes };
      // cron cannot say this
      const clock = dayClock(own[0]?.meaning, part?.meaning.part);
      const everyMs = meaning.count * dayMs;
      const fromMs = countedFrom(place, clock, nextOn(place, clock, meaning.weekday), everyMs);
      return { ok: true, schedule: { kind: "every", everyMs, fromMs, timeZone }, spans };
    }
    case "cron": {
      const dayPart = meaning.part ?? part?.meaning.part;
      const clocksNamed = own.length > 0 ? own.map((piece) => piece.meaning) : [meaning.clock];
      const times = clocksNamed.map((clock) => dayClock(clock, dayPart));
      const minutes = inOrder(times.map(({ minute }) => minute));
      const hours = inOrder(times.map(({ hour }) => hour));
      // cron has every minute in every hour, so 8:00 and 8:30 can be said together and 8:00 and 20:30 cannot
      const named = new Set(times.map(({ hour, minute }) => hour * 60 + minute));
      if (named.size !== minutes.length * hours.length) return { ok: false, problem: twoMinutes };
      const expression = `${minutes.join()} ${hours.join()} ${meaning.day} ${meaning.month} ${meaning.weekday}`;
      return { ok: true, schedule: { kind: "cron", expression, timeZone }, spans };
    }
    default:
      return meaning satisfies never;
  }
}

const twoMinutes =
  'Such times need a schedule each: make two. Write one of them, for example "every day at 9:15", and then the other.';

const severalTimes =
  'That is more than one time. Make one for each, for example first "tomorrow at 5pm", or say "every day" if you mean every day.';

function inOrder(values: readonly number[]): number[] {
  return [...new Set(values)].sort((one, other) => one - other);
}

/** The times of day that belong to a piece: those beside it with what they are joined to, or else the first "at". */
function clocksFor(text: string, clocks: readonly Piece<Clock>[], span: Span): Piece<Clock>[] {
  const first = clocks.find((clock) => areNeighbours(text, clock, span)) ?? clocks.find(({ meaning }) => meaning.isLed);
  if (!first) return [];
  const found = [first];
  for (const clock of clocks) {
    const last = found.at(-1);
    if (last && clock.from >= last.to && areNeighbours(text, last, clock)) found.push(clock);
  }
  for (const clock of clocks.toReversed()) {
    const [next] = found;
    if (next && clock.to <= next.from && areNeighbours(text, clock, next)) found.unshift(clock);
  }
  return found;
}

function dayClock(clock: Clock | undefined, part: DayPart | undefined): Time {
  if (clock) return { hour: meantHour(clock, part), minute: clock.minute };
  return part ? { hour: partHours[part], minute: 0 } : usualClock;
}

function nextOn(place: Place, { hour, minute }: Time, weekday?: number): number {
  const today = wallDay(wallAt(place.timeZone, place.nowMs));
  for (let day = today; ; day += dayMs) {
    const atMs = momentMeant(place.timeZone, day + hour * hourMs + minute * minuteMs);
    if (atMs > place.nowMs && (weekday === undefined || new Date(day).getUTCDay() === weekday)) return atMs;
  }
}

/** The days are counted by the time on the wall, so they begin on one that has it, if need be before now. */
function countedFrom(place: Place, { hour, minute }: Time, firstMs: number, everyMs: number): number {
  const day = wallDay(wallAt(place.timeZone, firstMs));
  const wallMs = day + hour * hourMs + minute * minuteMs;
  return wallAt(place.timeZone, firstMs) === wallMs ? firstMs : momentMeant(place.timeZone, wallMs - everyMs);
}

function delayed(
  text: string,
  clocks: readonly Piece<Clock>[],
  { meaning, ...span }: Piece<Parameters<typeof momentAfter>[1]>,
  place: Place,
): FoundTime {
  const atMs = momentAfter(place, meaning);
  const clock =
    meaning.ms === 0 && atMs <= endOfTimeMs ? clocks.find((piece) => areNeighbours(text, piece, span)) : undefined;
  if (!clock) return { ok: true, schedule: { kind: "once", atMs: Math.round(atMs) }, spans: [span] };
  const day = wallDay(wallAt(place.timeZone, atMs));
  return {
    ok: true,
    schedule: { kind: "once", atMs: onDay(place, day, clock.meaning, undefined) },
    spans: [span, clock],
  };
}

async function single(
  text: string,
  left: string,
  clocks: readonly Piece<Clock>[],
  place: Place,
): Promise<FoundTime | undefined> {
  const part = findDayPart(left);
  const date = await findDate(blankOut(text, [...clocks, ...(part ? [part] : [])], ";"), place);
  if (!date.ok) return date;
  const day = date.found;
  const first = clocks.find(({ meaning }) => meaning.isLed) ?? clocks[0];
  const beside = day ?? part ?? first;
  const own = beside ? clocksFor(text, clocks, beside) : [];
  if (own.length > 1) return { ok: false, problem: severalTimes };
  const [clock] = own;
  const spans = [...(day ? [day] : []), ...(clock ? [clock] : []), ...(part ? [part] : [])];
  if (spans.length === 0) return undefined;
  const today = wallDay(wallAt(place.timeZone, place.nowMs));
  const isNamed = day !== undefined || part?.meaning.isToday;
  const atMs = isNamed
    ? onNamedDay(place, day?.meaning ?? { day: today }, clock?.meaning, part?.meaning.part)
    : nextAt(place, clock?.meaning, part?.meaning.part);
  if (atMs === undefined)
    return { ok: false, problem: 'Say at what time today. Write for example "today at 6pm" or "in 2 hours".' };
  return { ok: true, schedule: { kind: "once", atMs }, spans };
}

function onNamedDay(
  place: Place,
  named: NamedDay,
  clock: Clock | undefined,
  part: DayPart | undefined,
): number | undefined {
  const today = wallDay(wallAt(place.timeZone, place.nowMs));
  if (!clock && named.atMs !== undefined) return named.atMs;
  if (!clock && named.wallMs !== undefined) return momentMeant(place.timeZone, named.wallMs);
  if (named.day === today && !named.again) {
    const atMs = laterToday(place, clock, part);
    if (atMs !== undefined) return atMs;
    if (!clock && !part) return undefined;
  }
  const atMs = onDay(place, named.day, clock, part);
  const later = atMs <= place.nowMs ? laterDay(named) : undefined;
  return later === undefined ? atMs : onDay(place, later, clock, part);
}

function onDay(place: Place, day: number, clock: Clock | undefined, part: DayPart | undefined): number {
  const { hour, minute } = dayClock(clock, part);
  // one o'clock on Friday night is on Saturday
  const isAfterMidnight = part === "night" && clock?.isOpen && hour < 5;
  return momentMeant(place.timeZone, day + (isAfterMidnight ? dayMs : 0) + hour * hourMs + minute * minuteMs);
}

// today at midnight is the coming one
function laterToday(place: Place, clock: Clock | undefined, part: DayPart | undefined): number | undefined {
  const today = wallDay(wallAt(place.timeZone, place.nowMs));
  if (!clock && !part) return undefined;
  const hours = clock ? possibleHours(clock, part) : [];
  const isMidnight = clock?.hour === 0 && clock.minute === 0;
  const moments = hours.map((hour) =>
    momentMeant(place.timeZone, today + hour * hourMs + (clock?.minute ?? 0) * minuteMs),
  );
  if (isMidnight) moments.push(momentMeant(place.timeZone, today + dayMs));
  if (part) moments.push(onDay(place, today, clock, part));
  return moments.find((atMs) => atMs > place.nowMs);
}

/** The next such time: of "six", the next at which somebody is up. */
function nextAt(place: Place, clock: Clock | undefined, part: DayPart | undefined): number {
  if (!clock?.isOpen || part) return nextOn(place, dayClock(clock, part));
  const hours = possibleHours(clock).filter(isUp);
  return Math.min(...hours.map((hour) => nextOn(place, { hour, minute: clock.minute })));
}
