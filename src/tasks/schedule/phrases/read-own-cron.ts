// A cron expression from the words that schedule-words.ts has for it: every rule here is the way back of one there.
import { monthNames, ordinalNames, weekdayNames } from "../calendar-names.ts";

const list = "\\d{1,2}(?:(?:, | and | to )\\d{1,2})*";
const hoursWords = `every hour|hours? ${list}`;
const byMinutes = new RegExp(
  `^(?:(?<full>every hour, on the hour)|every (?<step>\\d{1,2}) minutes, counted from the full hour|every minute(?: of (?<within>${hoursWords}))?|at minutes? (?<minutes>${list}) of (?<hours>${hoursWords}))(?:, (?<days>.+))?$`,
  "i",
);
// with one figure, such as 6:30, it is somebody else's words and may mean the evening
const byTimes = /^(?<days>.+) at (?<times>\d\d:\d\d(?:(?:, | and )\d\d:\d\d)*)$/i;

/** Nothing, if these are not such words. */
export function readOwnCron(words: string): string | undefined {
  const given = /^by the cron expression (.+)$/i.exec(words)?.[1];
  if (given !== undefined) return given;
  const times = byTimes.exec(words)?.groups;
  const minutes = byMinutes.exec(words)?.groups;
  const clock = times ? timesOf(times.times ?? "") : minutes ? minutesOf(minutes) : undefined;
  // "every minute" alone is a distance
  if (!clock || (!times && /^every minute$/i.test(words))) return undefined;
  const days = daysOf((times ?? minutes)?.days ?? "every day");
  return days && `${clock} ${days}`;
}

function timesOf(text: string): string | undefined {
  const times = itemsOf(text).map((time) => time.split(":").map(Number));
  const [hours, minutes] = [0, 1].map((at) => inOrder(times.map((time) => time[at] ?? 0)));
  const isEach = new Set(times.map(String)).size === (hours?.length ?? 0) * (minutes?.length ?? 0);
  return isEach ? `${minutes?.join()} ${hours?.join()}` : undefined;
}

function minutesOf({ full, step, within, minutes, hours }: Record<string, string | undefined>): string {
  if (full) return "0 *";
  if (step) return `*/${Number(step)} *`;
  const hour = (words = "every hour") =>
    /^every/i.test(words) ? "*" : numbersOf(words.replace(/^hours? /i, "")).join();
  return minutes === undefined ? `* ${hour(within)}` : `${numbersOf(minutes).join()} ${hour(hours)}`;
}

type Days = { day: string[]; weekday: string[]; months: string | undefined };

/** The last three fields. */
function daysOf(text: string): string | undefined {
  const days: Days = { day: [], weekday: [], months: undefined };
  for (const words of text.split(/ and also /i)) if (!addDays(days, words)) return undefined;
  return `${days.day.join() || "*"} ${days.months ?? "*"} ${days.weekday.join() || "*"}`;
}

function addDays(days: Days, words: string): boolean {
  const yearly = /^every year on (\d{1,2}) (\w+)$/i.exec(words);
  if (yearly) return addAll(days.day, [String(Number(yearly[1]))]) && setMonths(days, yearly[2]);
  const every = /^every (.+?)(?: in (.+))?$/i.exec(words);
  if (every) return addEvery(days, every[1] ?? "") && (every[2] === undefined || setMonths(days, every[2]));
  const named = /^on (.+) of (.+)$/i.exec(words);
  if (!named) return false;
  const isAdded = addNamed(days, named[1] ?? "");
  return isAdded && (/^every month$/i.test(named[2] ?? "") || setMonths(days, named[2]));
}

function addEvery({ weekday }: Days, words: string): boolean {
  if (/^day$/i.test(words)) return true;
  if (/^weekday$/i.test(words)) return addAll(weekday, ["1-5"]);
  if (/^day of the week$/i.test(words)) return addAll(weekday, ["0-6"]);
  return addAll(weekday, itemsOf(words).map(weekdayOf));
}

/** "the 1st, the 15th and the last day", "days 1 to 7", "the first Monday". */
function addNamed(days: Days, words: string): boolean {
  const [, many, rest] = new RegExp(`^days (${list})(?:(?:, | and )(the .+))?$`, "i").exec(words) ?? [];
  if (many !== undefined) addAll(days.day, numbersOf(many).map(String));
  const items = many === undefined ? itemsOf(words) : itemsOf(rest ?? "");
  return items.every((item) => addOne(days, item.replace(/^the /i, "")));
}

function addOne({ day, weekday }: Days, item: string): boolean {
  const nearest = /^working day nearest to the (\d{1,2})/i.exec(item)?.[1];
  if (nearest) return addAll(day, [`${nearest}W`]);
  if (/^last working day$/i.test(item)) return addAll(day, ["LW"]);
  if (/^last day$/i.test(item)) return addAll(day, ["L"]);
  const date = /^(\d{1,2})(?:st|nd|rd|th)$/i.exec(item)?.[1];
  if (date) return addAll(day, [date]);
  const [, which = "", name = ""] = /^(\w+) (\w+)$/.exec(item) ?? [];
  const nth = ordinalNames.indexOf(which.toLowerCase()) + 1;
  const on = weekdayOf(name);
  if (on === undefined || (nth === 0 && !/^last$/i.test(which))) return false;
  return addAll(weekday, [nth === 0 ? `${on}L` : `${on}#${nth}`]);
}

function addAll(fields: string[], values: readonly (string | undefined)[]): boolean {
  const known = values.filter((value) => value !== undefined);
  fields.push(...known);
  return known.length === values.length;
}

function setMonths(days: Days, words = ""): boolean {
  const found = itemsOf(words).flatMap((item) => {
    const [from, to = from] = item.split(/ to /i).map(monthOf);
    return from && to && to >= from ? run(from, to) : [0];
  });
  days.months = found.join();
  return !found.includes(0);
}

function weekdayOf(name: string): string | undefined {
  const at = weekdayNames.findIndex((full) => full.toLowerCase() === name.toLowerCase());
  return at < 0 ? undefined : String(at);
}

function monthOf(name: string): number {
  return monthNames.findIndex((full) => full.toLowerCase() === name.trim().toLowerCase()) + 1;
}

function numbersOf(text: string): number[] {
  return itemsOf(text).flatMap((item) => {
    const [from = 0, to = from] = item.split(/ to /i).map(Number);
    return run(from, to);
  });
}

function run(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

function itemsOf(text: string): string[] {
  return text.split(/, (?:and )?| and /i).filter((item) => item !== "");
}

function inOrder(values: readonly number[]): number[] {
  return [...new Set(values)].sort((one, other) => one - other);
}
