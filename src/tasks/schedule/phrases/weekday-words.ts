// Weekdays, days of the month and months, as they are written in sentences about what comes again.
import { monthNames, ordinalNames } from "../calendar-names.ts";

/** A weekday, also cut short, also in the plural. */
export const weekday = "(?:mon|tue(?:s)?|wed(?:nes)?|thu(?:r|rs)?|fri|sat(?:ur)?|sun)(?:day)?s?";
/** A weekday that nobody takes for another word. */
const wholeWeekday = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const and = "(?:\\s{0,3},\\s{0,3}(?:and\\s{1,3})?|\\s{1,3}(?:and|or)\\s{1,3}|\\s{0,3}[&/+]\\s{0,3})(?:on\\s{1,3})?";
const weekdayRange = `${weekday}\\s{0,3}(?:-|–|to|through|thru|until)\\s{0,3}${weekday}`;
export const weekdayList = `(?:${weekdayRange}|${weekday}(?:${and}${weekday})*)\\b`;
/** Two or more of them, one after the other. */
export const severalWeekdays = `${weekday}(?:(?:\\s{0,3},\\s{0,3}(?:and\\s{1,3})?|\\s{1,3}and\\s{1,3}|\\s{0,3}[&/+]\\s{0,3})(?:on\\s{1,3})?${weekday})+\\b`;
export const pluralWeekdays = `${wholeWeekday}s(?:${and}${wholeWeekday}s)*\\b`;

const nth = `(?:${ordinalNames.join("|")}|[1-5](?:st|nd|rd|th)|last)`;
const monthDay = `(?:\\d{1,2}(?:st|nd|rd|th)?|(?:${ordinalNames.join("|")}|last)(?:\\s{1,3}(?:working|business))?(?:\\s{1,3}day)?)\\b`;
/** "1st and 15th", "last day", "first Monday". */
export const monthDays = `(?:${nth}\\s{1,3}${weekday}\\b|${monthDay}(?:${and}(?:the\\s{1,3})?${monthDay})*)`;

const month = `(?:${monthNames.map((name) => (name === "May" ? name : `${name.slice(0, 3)}(?:${name.slice(3)})?`)).join("|")}|sept)`;
export const yearDay = `(?:(?:the\\s{1,3})?\\d{1,2}(?:st|nd|rd|th)?(?:\\s{1,3}of)?\\s{1,3}${month}\\b|${month}\\s{1,3}(?:the\\s{1,3})?\\d{1,2}(?:st|nd|rd|th)?\\b)`;

const weekdayStarts = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Sunday is 0. */
export function weekdayOf(text: string): number {
  return weekdayStarts.indexOf(text.trim().slice(0, 3).toLowerCase());
}

/** The weekday field of a cron expression. */
export function weekdaysOf(list: string): string {
  const names = [...list.matchAll(new RegExp(`\\b${weekday}\\b`, "gi"))].map(([name]) => weekdayOf(name));
  if (!new RegExp(`^${weekdayRange}$`, "i").test(list.trim())) return [...new Set(names)].sort().join(",");
  const [first = 0, last = 0] = names;
  const length = ((last - first + 7) % 7) + 1;
  const days = Array.from({ length }, (_, index) => (first + index) % 7);
  return first < last ? `${first}-${last}` : days.sort().join(",");
}

/** The day and weekday fields of a cron expression; nothing, if it is no day of any month. */
export function monthDaysOf(list: string): { day: string; weekday: string } | undefined {
  const numbered = new RegExp(`^(${nth})\\s+(${weekday})$`, "i").exec(list.trim());
  if (numbered) {
    const day = weekdayOf(numbered[2] ?? "");
    const which = nthOf(numbered[1] ?? "");
    return { day: "*", weekday: which === "L" ? `${day}L` : `${day}#${which}` };
  }
  const days = list.split(/,|\band\b|\bor\b|[&/+]/i).map((item) => item.replace(/\b(?:the|on|day)\b/gi, "").trim());
  const fields = days
    .filter((item) => item !== "")
    .map((item) => (/work|business/i.test(item) ? workingDay(item) : nthOf(item)));
  if (fields.length === 0 || fields.some((field) => field === undefined)) return undefined;
  return { day: fields.join(","), weekday: "*" };
}

/** The day and month fields of a cron expression. */
export function yearDayOf(text: string): { day: string; month: string } {
  const name = new RegExp(month, "i").exec(text)?.[0] ?? "";
  const at = monthNames.findIndex((full) => full.slice(0, 3).toLowerCase() === name.slice(0, 3).toLowerCase());
  return { day: String(Number(/\d{1,2}/.exec(text)?.[0] ?? 0)), month: String(at + 1) };
}

function nthOf(text: string): string | undefined {
  if (/^last/i.test(text)) return "L";
  const named = ordinalNames.indexOf(text.toLowerCase());
  const day = named >= 0 ? named + 1 : Number.parseInt(text, 10);
  return day >= 1 && day <= 31 ? String(day) : undefined;
}

// of the numbered ones cron knows the last and the first only
function workingDay(text: string): string | undefined {
  return /^last/i.test(text) ? "LW" : /^first/i.test(text) ? "1W" : undefined;
}
