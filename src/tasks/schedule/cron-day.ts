import type { Cron, DayField, WeekdayField } from "./read-cron.ts";
import { dayMs } from "./zone.ts";

/** Whether an expression has times on a day; where day and weekday are both given, either is enough, as in cron. */
export function hasDay(cron: Cron, day: number): boolean {
  const date = new Date(day);
  if (!cron.months.includes(date.getUTCMonth() + 1)) return false;
  if (cron.day.any && cron.weekday.any) return true;
  if (cron.day.any) return isWeekday(cron.weekday, date);
  if (cron.weekday.any) return isDayOfMonth(cron.day, date);
  return isDayOfMonth(cron.day, date) || isWeekday(cron.weekday, date);
}

/** The next day that can be one: a month that is not meant is passed over at once. */
export function followingDay(cron: Cron, day: number): number {
  const date = new Date(day);
  if (cron.months.includes(date.getUTCMonth() + 1)) return day + dayMs;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

function isDayOfMonth(field: DayField, date: Date): boolean {
  const day = date.getUTCDate();
  const length = monthLength(date);
  if (field.days.includes(day) || (field.last && day === length)) return true;
  if (field.lastWorking && day === lastWorkingDay(date, length)) return true;
  return field.nearest.some((wanted) => wanted <= length && day === nearestWorkingDay(date, wanted, length));
}

function isWeekday(field: WeekdayField, date: Date): boolean {
  const weekday = date.getUTCDay();
  const day = date.getUTCDate();
  if (field.weekdays.includes(weekday)) return true;
  if (field.last.includes(weekday) && day + 7 > monthLength(date)) return true;
  return field.nth.some((wanted) => wanted.weekday === weekday && wanted.nth === Math.ceil(day / 7));
}

function monthLength(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

function lastWorkingDay(date: Date, length: number): number {
  const weekday = weekdayOf(date, length);
  return weekday === 0 ? length - 2 : weekday === 6 ? length - 1 : length;
}

// it stays in its month: the 1st on a Saturday becomes Monday the 3rd
function nearestWorkingDay(date: Date, wanted: number, length: number): number {
  const weekday = weekdayOf(date, wanted);
  if (weekday === 6) return wanted === 1 ? 3 : wanted - 1;
  if (weekday === 0) return wanted === length ? wanted - 2 : wanted + 1;
  return wanted;
}

function weekdayOf(date: Date, day: number): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day)).getUTCDay();
}
