// What schedule-words.ts writes, read back: people change a word in it and expect the rest to stay.
import type { Schedule } from "../../../contract/task/task.ts";
import { monthNames, weekdayNames } from "../calendar-names.ts";
import { dayMs, hourMs, isTimeZone, minuteMs, momentMeant } from "../zone.ts";
import { distancePattern, readDistance } from "./find-delay.ts";
import { findTime } from "./find-time.ts";
import type { Place } from "./phrase.ts";
import { readOwnCron } from "./read-own-cron.ts";

export type OwnWords = { ok: true; schedule: Schedule } | { ok: false; problem: string };

/** Nothing, if these are not its own words. */
export async function readOwnWords(text: string, place: Place): Promise<OwnWords | undefined> {
  const { words, timeZone = place.timeZone } = withoutZone(tidied(text));
  const here = { ...place, timeZone };
  const expression = readOwnCron(words);
  if (expression !== undefined) return { ok: true, schedule: { kind: "cron", expression, timeZone } };
  const once = /^once,? (?:on )?(.+)$/i.exec(words)?.[1];
  if (once !== undefined) return readMoment(once, here);
  const counted = countedPattern.exec(words)?.groups;
  return counted ? await readCounted(counted.distance ?? "", counted.from ?? "", here) : undefined;
}

const countedPattern = new RegExp(`^every (?<distance>day|week|${distancePattern}), counted from (?<from>.+)$`, "i");

function tidied(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/ ([,:)])/g, "$1")
    .replace(/\( /g, "(")
    .replace(/(?<=\d): (?=\d)/g, ":")
    .replace(/\.$/, "");
}

function withoutZone(text: string): { words: string; timeZone?: string } {
  const [whole, name = ""] = / \(([A-Za-z][\w+/-]{1,58})\)$/.exec(text) ?? [];
  // an offset such as UTC+02:00 tells two moments of one wall time apart
  if (whole === undefined || !isTimeZone(name)) return { words: text };
  return { words: text.slice(0, -whole.length), timeZone: name };
}

async function readCounted(distance: string, from: string, place: Place): Promise<OwnWords | undefined> {
  const begins = await readMoment(from, place);
  if (!begins?.ok || begins.schedule.kind !== "once") return begins?.ok === false ? begins : undefined;
  const { years, months, weeks, days, ms } = readDistance(distance.replace(/^(?=day|week)/i, "1 "));
  const wholeDays = 7 * weeks + days;
  if (years + months > 0 || wholeDays * dayMs + ms === 0) return undefined;
  const schedule = { kind: "every", everyMs: wholeDays * dayMs + ms, fromMs: begins.schedule.atMs } as const;
  return { ok: true, schedule: ms === 0 ? { ...schedule, timeZone: place.timeZone } : schedule };
}

const momentPattern = new RegExp(
  `^(?:(?<weekday>${weekdayNames.join("|")}),? )?(?<day>\\d{1,2}) (?<month>${monthNames.join("|")}) (?<year>\\d{4}) at (?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d)(?: \\(UTC(?<sign>[+-])(?<hours>\\d\\d):(?<minutes>\\d\\d)\\))?$`,
  "i",
);

/** Exactly as it is written, or else in anybody's words. */
async function readMoment(text: string, place: Place): Promise<OwnWords | undefined> {
  const found = momentPattern.exec(text)?.groups;
  if (found) {
    const wallMs = wallOf(found);
    const date = new Date(wallMs);
    const weekday = weekdayNames[date.getUTCDay()] ?? "";
    if (date.getUTCDate() === Number(found.day) && (found.weekday ?? weekday).toLowerCase() === weekday.toLowerCase())
      return { ok: true, schedule: { kind: "once", atMs: momentOf(found, wallMs, place) } };
  }
  const time = await findTime(text, place);
  const isWhole = time?.ok && /^[\s,.]*$/.test(leftOf(text, time.spans));
  return time && (!time.ok || isWhole) ? time : undefined;
}

type Groups = Record<string, string | undefined>;

function wallOf({ year, month = "", day, hour, minute }: Groups): number {
  const at = monthNames.findIndex((name) => name.toLowerCase() === month.toLowerCase());
  return Date.UTC(Number(year), at, Number(day)) + Number(hour) * hourMs + Number(minute) * minuteMs;
}

function momentOf({ sign, hours, minutes }: Groups, wallMs: number, { timeZone }: Place): number {
  if (sign === undefined) return momentMeant(timeZone, wallMs);
  const offset = Number(hours) * hourMs + Number(minutes) * minuteMs;
  return wallMs - (sign === "-" ? -offset : offset);
}

function leftOf(text: string, spans: readonly { from: number; to: number }[]): string {
  const letters = [...text].map((letter, at) => (spans.some(({ from, to }) => at >= from && at < to) ? "" : letter));
  return letters.join("").replace(/\b(?:on|the|at)\b/gi, "");
}
