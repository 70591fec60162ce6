// The times of a schedule, in order, none twice. A cron expression is meant in its zone, and the clocks there are changed:
// - one that names every hour counts what the clocks show: twice in a repeated hour, never in a skipped one;
// - one that names some hours has each of its times once a day: the first, where it is shown twice; and where the clocks skip
//   it, as much later as they skip, unless it has a time there anyway.
// A distance of whole days in a zone keeps its time of day by the same rule; any other distance is one of the world's time.
import type { Schedule } from "../../contract/task/task.ts";
import { followingDay, hasDay } from "./cron-day.ts";
import { type Cron, readCron } from "./read-cron.ts";
import {
  dayMs,
  endOfTimeMs,
  hourMs,
  isTimeZone,
  minuteMs,
  momentMeant,
  momentsShowing,
  type OffsetsAround,
  offsetsAround,
  wallAt,
  wallDay,
} from "./zone.ts";

/** No more than this many are counted one by one. */
const mostCounted = 10_000;
// A fifth Monday in February can be 40 years off; what has not come by then does not come.
const patienceMs = 41 * 366 * dayMs;

/** The first time strictly after a moment, and nothing if there is none or the schedule cannot be read. */
export function nextAfter(schedule: Schedule, afterMs: number): number | undefined {
  return nextTimes(schedule, afterMs, 1)[0];
}

export function nextTimes(schedule: Schedule, afterMs: number, count: number): number[] {
  return timesBetween(schedule, afterMs, endOfTimeMs, count);
}

/** The times after `afterMs` up to and with `untilMs`, no more than `limit`. */
export function timesBetween(schedule: Schedule, afterMs: number, untilMs: number, limit: number): number[] {
  const found: number[] = [];
  if (limit < 1) return found;
  for (const atMs of times(schedule, afterMs)) {
    if (atMs > untilMs) break;
    found.push(atMs);
    if (found.length >= limit) break;
  }
  return found;
}

/** How many times lie between; never more than `most`, and no work beyond it. */
export function countBetween(schedule: Schedule, afterMs: number, untilMs: number, most = mostCounted): number {
  if (schedule.kind !== "every" || isByCalendar(schedule)) return timesBetween(schedule, afterMs, untilMs, most).length;
  const upTo = (atMs: number) => Math.max(0, Math.floor((atMs - schedule.fromMs) / schedule.everyMs) + 1);
  return Math.min(most, Math.max(0, upTo(untilMs) - upTo(afterMs)));
}

function times(schedule: Schedule, afterMs: number): Iterable<number> {
  switch (schedule.kind) {
    case "once":
      return schedule.atMs > afterMs ? [schedule.atMs] : [];
    case "every":
      return isByCalendar(schedule) ? calendarTimes(schedule, afterMs) : everyTimes(schedule, afterMs);
    case "cron": {
      const read = readCron(schedule.expression);
      return read.ok && isTimeZone(schedule.timeZone) ? cronTimes(read.cron, schedule.timeZone, afterMs) : [];
    }
    default:
      return schedule satisfies never;
  }
}

type Distance = Extract<Schedule, { kind: "every" }>;

/** Whether it counts days of the calendar, which can have 23 or 25 hours. */
export function isByCalendar(schedule: Distance): schedule is Distance & { timeZone: string } {
  return schedule.timeZone !== undefined && schedule.everyMs % dayMs === 0;
}

function* calendarTimes(
  { everyMs, fromMs, timeZone }: Distance & { timeZone: string },
  afterMs: number,
): Iterable<number> {
  if (!isTimeZone(timeZone)) return;
  const firstWall = wallAt(timeZone, fromMs);
  // one before, for what the clocks skip comes later than it is counted
  const passed = Math.max(0, Math.floor((wallAt(timeZone, afterMs) - firstWall) / everyMs) - 1);
  let lastMs = afterMs;
  for (let wallMs = firstWall + passed * everyMs; wallMs <= endOfTimeMs - dayMs; wallMs += everyMs) {
    const atMs = momentMeant(timeZone, wallMs);
    if (atMs <= lastMs) continue;
    lastMs = atMs;
    yield atMs;
  }
}

function* everyTimes({ everyMs, fromMs }: Distance, afterMs: number): Iterable<number> {
  const passed = Math.max(0, Math.floor((afterMs - fromMs) / everyMs) + 1);
  for (let atMs = fromMs + passed * everyMs; atMs <= endOfTimeMs; atMs += everyMs) yield atMs;
}

function* cronTimes(cron: Cron, timeZone: string, afterMs: number): Iterable<number> {
  let lastMs = afterMs;
  let waiting: number[] = [];
  // a clock that is put forward by a whole day carries the times of the day before into this one
  let day = wallDay(wallAt(timeZone, afterMs)) - dayMs;
  for (let giveUp = day + patienceMs; day < giveUp; day = followingDay(cron, day)) {
    const isMeant = hasDay(cron, day);
    if (!isMeant && waiting.length === 0) continue;
    const around = offsetsAround(timeZone, day);
    // a repeated hour over midnight belongs to two days, so a day's times wait until none of the next can come before them
    const beginsMs = day - Math.max(around.before, around.after);
    const later: number[] = [];
    for (const atMs of waiting) {
      if (atMs >= beginsMs) later.push(atMs);
      else if (atMs > lastMs) {
        lastMs = atMs;
        giveUp = day + patienceMs;
        yield atMs;
      }
    }
    waiting = isMeant
      ? [...later, ...timesOfDay(cron, timeZone, day, around)].sort((one, other) => one - other)
      : later;
  }
}

function timesOfDay(cron: Cron, timeZone: string, day: number, around: OffsetsAround): number[] {
  const walls = cron.hours.flatMap((hour) => cron.minutes.map((minute) => day + hour * hourMs + minute * minuteMs));
  return cron.hours.length === 24
    ? walls.flatMap((wallMs) => momentsShowing(timeZone, wallMs, around))
    : walls.map((wallMs) => momentMeant(timeZone, wallMs, around));
}
