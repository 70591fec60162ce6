// What programs write: cron expressions, ISO times and durations.
import type { Schedule } from "../../../contract/task/task.ts";
import { timeZoneProblem } from "../check-schedule.ts";
import { readCron, spellNickname } from "../read-cron.ts";
import { dayMs, momentMeant } from "../zone.ts";
import { distancePattern, momentAfter, readDistance } from "./find-delay.ts";
import type { Place } from "./phrase.ts";

export type Exact = { ok: true; schedule: Schedule } | { ok: false; problem: string };

/** What a duration alone means: that long from now, or again and again. */
export type Bare = "once" | "repeated";

/** Nothing, if it is none of these but perhaps a sentence. */
export function readExact(text: string, place: Place, bare: Bare): Exact | undefined {
  return readExpression(text, place) ?? readIsoTime(text, place) ?? readDuration(text, place, bare);
}

function readExpression(text: string, { timeZone }: Place): Exact | undefined {
  const looksSo = /^@/.test(text) || /^[\d*?,/-]+\s+[\d*?,/-]+(?:\s+[\w*?,/#-]+){3,5}$/.test(text);
  if (!looksSo) return undefined;
  const read = readCron(text);
  const expression = spellNickname(text).replace(/\s+/g, " ");
  return read.ok ? { ok: true, schedule: { kind: "cron", expression, timeZone } } : read;
}

const isoTime =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s?(Z|[+-]\d{2}:?\d{2})?(?:\[([\w/+-]{1,60})\])?$/i;

function readIsoTime(text: string, place: Place): Exact | undefined {
  const match = isoTime.exec(text);
  if (!match) return undefined;
  const [, date = "", time = "", offset, zone] = match;
  const wallMs = Date.parse(`${date}T${time}Z`);
  const isReal = !Number.isNaN(wallMs) && new Date(wallMs).toISOString().startsWith(date);
  if (!isReal) return { ok: false, problem: `There is no ${text}. Write for example 2026-12-24T18:00.` };
  const problem = zone && timeZoneProblem(zone);
  if (problem) return { ok: false, problem };
  const atMs = offset ? Date.parse(`${date}T${time}${offset}`) : momentMeant(zone ?? place.timeZone, wallMs);
  if (Number.isNaN(atMs))
    return { ok: false, problem: `There is no offset ${offset}. Write for example 2026-12-24T18:00+01:00.` };
  return { ok: true, schedule: { kind: "once", atMs } };
}

const isoDuration =
  /^(R\/)?P(?=\d|T\d)(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/i;

function readDuration(text: string, place: Place, bare: Bare): Exact | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    return { ok: false, problem: `${text} of what? Write the unit with it, for example "15 minutes" or "900000 ms".` };
  }
  const iso = isoDuration.exec(text);
  if (!iso && !new RegExp(`^(?:${distancePattern})$`, "i").test(text)) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = (iso ?? [])
    .slice(2)
    .map((part) => Number(part ?? 0));
  const distance = iso
    ? { years, months, weeks, days, ms: ((hours * 60 + minutes) * 60 + seconds) * 1_000 }
    : readDistance(text);
  if (bare === "once" && !iso?.[1]) return { ok: true, schedule: { kind: "once", atMs: momentAfter(place, distance) } };
  if (distance.years + distance.months > 0) {
    return { ok: false, problem: 'Months have no fixed length. Write for example "every month on the 1st at 8am".' };
  }
  const wholeDays = 7 * distance.weeks + distance.days;
  const schedule = { kind: "every", everyMs: wholeDays * dayMs + distance.ms, fromMs: place.nowMs } as const;
  const isCalendar = distance.ms === 0 && wholeDays > 0;
  return { ok: true, schedule: isCalendar ? { ...schedule, timeZone: place.timeZone } : schedule };
}
