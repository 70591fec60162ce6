// A schedule as a person says it; whatever its shape, nothing of its meaning is left out.
import type { Schedule } from "../../contract/task/task.ts";
import { count } from "../../contract/words/amounts.ts";
import { monthNames, ordinal, ordinalNames, weekdayNames } from "./calendar-names.ts";
import { isByCalendar } from "./next-times.ts";
import { type Cron, type DayField, readCron, type WeekdayField } from "./read-cron.ts";
import { dayMs, hourMs, isTimeZone, minuteMs, momentsShowing, offsetsAround, wallAt, wallDay, zoned } from "./zone.ts";

/** `timeZone`: where the owner lives; another one is named. */
export function scheduleWords(schedule: Schedule, timeZone: string): string {
  switch (schedule.kind) {
    case "once":
      return `once, on ${momentWords(schedule.atMs, timeZone)}`;
    case "every":
      return isByCalendar(schedule)
        ? named(calendarWords(schedule), schedule.timeZone, timeZone)
        : distanceWords(schedule, timeZone);
    case "cron": {
      const read = readCron(schedule.expression);
      const words = read.ok ? cronWords(read.cron) : `by the cron expression ${schedule.expression}`;
      return named(words, schedule.timeZone, timeZone);
    }
    default:
      return schedule satisfies never;
  }
}

function named(words: string, meantIn: string, timeZone: string): string {
  return meantIn.toLowerCase() === timeZone.toLowerCase() ? words : `${words} (${meantIn})`;
}

/** "Friday 20 November 2026 at 17:30", with the offset where the clocks show it twice. */
function momentWords(atMs: number, timeZone: string): string {
  const at = zoned(timeZone, atMs);
  const wallMs = wallAt(timeZone, atMs);
  const shown = momentsShowing(timeZone, wallMs, offsetsAround(timeZone, wallDay(wallMs)));
  const weekday = weekdayNames[at.dayOfWeek % 7];
  const words = `${weekday} ${at.day} ${monthNames[at.month - 1]} ${at.year} at ${clock(at.hour, at.minute)}`;
  return shown.length > 1 ? `${words} (UTC${at.offset})` : words;
}

function calendarWords({ everyMs, fromMs, timeZone }: { everyMs: number; fromMs: number; timeZone: string }): string {
  if (!isTimeZone(timeZone)) return `every ${count(everyMs / dayMs, "day")}`;
  const days = everyMs === dayMs ? "every day" : `every ${count(everyMs / dayMs, "day")}`;
  return `${days}, counted from ${momentWords(fromMs, timeZone)}`;
}

function distanceWords({ everyMs, fromMs }: { everyMs: number; fromMs: number }, timeZone: string): string {
  // a day of the calendar can have 23 or 25 hours; these never
  if (everyMs % dayMs === 0) return `every ${everyMs / hourMs} hours, counted from ${momentWords(fromMs, timeZone)}`;
  const units: [ms: number, one: string][] = [
    [hourMs, "hour"],
    [minuteMs, "minute"],
    [1_000, "second"],
    [1, "millisecond"],
  ];
  const [ms, one] = units.find(([unit]) => everyMs % unit === 0) ?? [1, "millisecond"];
  return everyMs === ms ? `every ${one}` : `every ${count(everyMs / ms, one)}`;
}

function cronWords(cron: Cron): string {
  const days = dayWords(cron);
  if (cron.minutes.length * cron.hours.length <= 4) {
    const times = cron.hours.flatMap((hour) => cron.minutes.map((minute) => clock(hour, minute)));
    return `${days} at ${listed(times)}`;
  }
  const times = minuteWords(cron);
  return days === "every day" ? times : `${times}, ${days}`;
}

function minuteWords({ minutes, hours }: Cron): string {
  const everyHour = hours.length === 24;
  const step = (minutes[1] ?? 0) - (minutes[0] ?? 0);
  if (everyHour && minutes.length === 60) return "every minute";
  if (everyHour && minutes.length === 1 && minutes[0] === 0) return "every hour, on the hour";
  const inHours = everyHour ? "every hour" : `${hours.length === 1 ? "hour" : "hours"} ${listed(runs(hours))}`;
  if (minutes.length === 60) return `every minute of ${inHours}`;
  const isEven =
    minutes.length > 2 && minutes.length * step === 60 && minutes.every((at, index) => at === index * step);
  if (isEven && everyHour) return `every ${step} minutes, counted from the full hour`;
  return `at ${minutes.length === 1 ? "minute" : "minutes"} ${listed(runs(minutes))} of ${inHours}`;
}

function dayWords(cron: Cron): string {
  const months =
    cron.months.length === 12 ? undefined : listed(runs(cron.months, (month) => monthNames[month - 1] ?? ""));
  const inMonths = months ? ` in ${months}` : "";
  const ofMonths = months ?? "every month";
  if (cron.day.any && cron.weekday.any) return `every day${inMonths}`;
  if (cron.day.any) return weekdayWords(cron.weekday, inMonths, ofMonths);
  const days = dayOfMonthWords(cron.day, cron.months.length === 1, ofMonths);
  return cron.weekday.any ? days : `${days} and also ${weekdayWords(cron.weekday, inMonths, ofMonths)}`;
}

function dayOfMonthWords(field: DayField, isOneMonth: boolean, ofMonths: string): string {
  const named = [
    ...field.nearest.map((day) => `the working day nearest to the ${ordinal(day)}`),
    ...(field.lastWorking ? ["the last working day"] : []),
    ...(field.last ? ["the last day"] : []),
  ];
  const [only] = field.days;
  if (isOneMonth && field.days.length === 1 && named.length === 0) return `every year on ${only} ${ofMonths}`;
  const few = field.days.length <= 3;
  const days = few ? field.days.map((day) => `the ${ordinal(day)}`) : [`days ${listed(runs(field.days))}`];
  return `on ${listed([...days, ...named])} of ${ofMonths}`;
}

function weekdayWords(field: WeekdayField, inMonths: string, ofMonths: string): string {
  const weekdays = field.weekdays.length > 0 ? [`${everyWeekday(field.weekdays)}${inMonths}`] : [];
  const named = [
    ...field.nth.map(({ weekday, nth }) => `the ${ordinalNames[nth - 1]} ${weekdayNames[weekday]}`),
    ...field.last.map((weekday) => `the last ${weekdayNames[weekday]}`),
  ];
  if (named.length > 0) weekdays.push(`on ${listed(named)} of ${ofMonths}`);
  return weekdays.join(" and also ");
}

function everyWeekday(weekdays: readonly number[]): string {
  if (weekdays.join() === "1,2,3,4,5") return "every weekday";
  if (weekdays.length === 7) return "every day of the week";
  // a week begins on Monday, where it is told
  const inOrder = weekdays.toSorted((one, other) => ((one + 6) % 7) - ((other + 6) % 7));
  return `every ${listed(inOrder.map((weekday) => weekdayNames[weekday] ?? ""))}`;
}

/** 1, 2, 3, 7 as "1 to 3" and "7". */
function runs(values: readonly number[], word: (value: number) => string = String): string[] {
  const found: string[] = [];
  for (let at = 0; at < values.length; ) {
    let end = at;
    while (values[end + 1] === (values[end] ?? 0) + 1) end++;
    const [first = 0, last = 0] = [values[at], values[end]];
    if (end - at >= 2) found.push(`${word(first)} to ${word(last)}`);
    else found.push(...values.slice(at, end + 1).map(word));
    at = end + 1;
  }
  return found;
}

function listed(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function clock(hour: number, minute: number): string {
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}
