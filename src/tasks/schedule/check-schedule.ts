import { nearestName } from "../../contract/names/nearest-name.ts";
import type { Schedule } from "../../contract/task/task.ts";
import { nextAfter } from "./next-times.ts";
import { readCron } from "./read-cron.ts";
import { dayMs, endOfTimeMs, isTimeZone, minuteMs } from "./zone.ts";

const shortestMs = minuteMs;
const longestMs = 3_653 * dayMs;
// with room for a slip; the longest is America/Argentina/ComodRivadavia
const longestZoneName = 40;

/** What is wrong with a schedule and what to write instead; nothing, if it has times to come. */
export function scheduleProblem(schedule: Schedule, nowMs: number): string | undefined {
  switch (schedule.kind) {
    case "once":
      if (schedule.atMs > endOfTimeMs) return "That is too far away. Name a time before the year 10000.";
      if (schedule.atMs > nowMs) return undefined;
      return 'That time has passed. Name one that is still to come, for example "tomorrow at 9am".';
    case "every":
      return distanceProblem(schedule.everyMs) ?? (schedule.timeZone && timeZoneProblem(schedule.timeZone));
    case "cron": {
      const read = readCron(schedule.expression);
      if (!read.ok) return read.problem;
      const problem = timeZoneProblem(schedule.timeZone);
      if (problem || nextAfter(schedule, nowMs) !== undefined) return problem;
      return `"${schedule.expression}" never comes: none of its months has such a day. Write for example 0 9 28 2 *, or 0 9 L 2 * for the last day of February.`;
    }
    default:
      return schedule satisfies never;
  }
}

/** What is wrong with the name of a time zone, and which one was probably meant. */
export function timeZoneProblem(timeZone: string): string | undefined {
  if (isTimeZone(timeZone)) return undefined;
  const shown = timeZone.length > 60 ? `${timeZone.slice(0, 60)}…` : timeZone;
  const meant = nearestTimeZone(timeZone);
  return `There is no time zone "${shown}". ${meant ? `Did you mean ${meant}?` : "Write its IANA name, for example Europe/Berlin or America/New_York."}`;
}

function distanceProblem(everyMs: number): string | undefined {
  if (everyMs < shortestMs) {
    return 'That is more often than once a minute, which is the most. Write for example "every 5 minutes".';
  }
  if (everyMs > longestMs) {
    return 'That is longer than ten years. Write a shorter distance, for example "every 30 days", or a date.';
  }
  return undefined;
}

// people write the city alone, or with blanks
function nearestTimeZone(name: string): string | undefined {
  const written = name.trim().replace(/\s+/g, "_");
  if (written.length > longestZoneName) return undefined;
  const zones = ["UTC", ...Intl.supportedValuesOf("timeZone")];
  const zone = nearestName(written, zones);
  if (zone) return zone;
  const cityOf = (full: string) => full.slice(full.lastIndexOf("/") + 1);
  const city = nearestName(written, zones.map(cityOf));
  return zones.find((full) => cityOf(full) === city);
}
