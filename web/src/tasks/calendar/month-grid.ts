// A month as weeks of days, and what is due on each of them, by this browser's clock.
import type { RunState } from "../../../../src/contract/wire/methods/tasks.ts";
import { formatTime } from "../time-words.ts";

/** `2026-11` */
export type Month = string;
export type Day = { key: string; number: number; isInMonth: boolean; startMs: number };
/** `ran`: what became of it; without, it is still to come. */
export type DueTime = { task: string; title: string; atMs: number; ran?: RunState };
/** One task on one day, however often it comes on it; what it did and what it will do are told apart. */
export type DueTask = { task: string; title: string; atMs: readonly number[]; ran?: RunState };

export function monthOf(atMs: number): Month {
  return keyOf(new Date(atMs)).slice(0, 7);
}

/** Undefined for what is no month, such as a mistyped address. */
export function readMonth(text: string | undefined): Month | undefined {
  return text !== undefined && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text) ? text : undefined;
}

export function neighbourMonth(month: Month, step: 1 | -1): Month {
  const { year, index } = partsOf(month);
  return keyOf(new Date(year, index + step, 1)).slice(0, 7);
}

/** Whole weeks, from Monday on. */
export function monthGrid(month: Month): Day[][] {
  const { year, index } = partsOf(month);
  const first = new Date(year, index, 1);
  const offset = (first.getDay() + 6) % 7;
  const last = new Date(year, index + 1, 0).getDate();
  const weeks = Math.ceil((offset + last) / 7);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => dayAt(year, index, week * 7 + weekday - offset + 1)),
  );
}

// what comes all day long must not hide what comes once, nor what is over what is to come
function rankOf({ atMs, ran }: DueTask): number {
  return (ran ? 2 : 0) + (atMs.length > mostHours ? 1 : 0);
}

/** What one task's times on a day are called: a few by their hours, many by how often it comes. */
export function timesWords({ atMs, ran }: DueTask, when: string | undefined): string {
  if (atMs.length <= mostHours) return [...new Set(atMs.map(formatTime))].join(", ");
  // what ran may have been begun by hand as well
  return ran || when === undefined ? `${atMs.length} times` : when;
}

const mostHours = 3;

/** From the first day shown to the end of the last one. */
export function stretchOf(month: Month): { fromMs: number; untilMs: number } {
  const days = monthGrid(month).flat();
  const last = new Date(days.at(-1)?.startMs ?? 0);
  const untilMs = new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1).getTime();
  return { fromMs: days[0]?.startMs ?? 0, untilMs };
}

/** What is due by day, the earliest first among its like. */
export function dueByDay(times: readonly DueTime[]): ReadonlyMap<string, readonly DueTask[]> {
  const days = Map.groupBy(times, ({ atMs }) => keyOf(new Date(atMs)));
  return new Map([...days].map(([day, due]) => [day, dueTasks(due)]));
}

function dueTasks(times: readonly DueTime[]): DueTask[] {
  return [...Map.groupBy(times, ({ task, ran }) => `${task} ${ran !== undefined}`).values()]
    .map((own) => {
      const [first, ...others] = own.toSorted((one, other) => one.atMs - other.atMs);
      const { task = "", title = "", ran } = others.findLast((one) => one.ran === "failed") ?? first ?? {};
      return { task, title, atMs: [first, ...others].map((one) => one?.atMs ?? 0), ...(ran && { ran }) };
    })
    .sort((one, other) => rankOf(one) - rankOf(other) || (one.atMs[0] ?? 0) - (other.atMs[0] ?? 0));
}

export function keyOf(date: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function dayAt(year: number, index: number, day: number): Day {
  const date = new Date(year, index, day);
  return { key: keyOf(date), number: date.getDate(), isInMonth: date.getMonth() === index, startMs: date.getTime() };
}

function partsOf(month: Month): { year: number; index: number } {
  return { year: Number(month.slice(0, 4)), index: Number(month.slice(5, 7)) - 1 };
}
