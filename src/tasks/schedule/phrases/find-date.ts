// The day that is meant by words such as "on Friday", "24 December" or "the day after tomorrow".
import type { ParsedResult } from "chrono-node/en";
import { monthNames, weekdayNames } from "../calendar-names.ts";
import { dayMs, offsetMs, wallAt, wallDay } from "../zone.ts";
import { areNeighbours, type Piece, type Place, spanOf } from "./phrase.ts";

/**
 * A day on the wall. `again`: if its time has passed, the same words mean a later one. `atMs`: a moment that the words name by
 * themselves, as an ISO time does; `wallMs`: the same without a zone.
 */
export type NamedDay = { day: number; again?: "week" | "month" | "year"; atMs?: number; wallMs?: number };

export type FoundDate = { ok: true; found?: Piece<NamedDay> } | { ok: false; problem: string };

/** The day that is named in a text in which semicolons stand for what is understood already. */
export async function findDate(text: string, place: Place): Promise<FoundDate> {
  const twofold = twofoldDate(text);
  if (twofold) return { ok: false, problem: twofold };
  const numbered = findLeapDay(text, place) ?? findMonthDay(text, place);
  if (numbered?.meaning.again === "year") return { ok: true, found: numbered };
  const best = mayNameDay.test(text) ? await bestResult(text, place) : undefined;
  if (!best) return numbered ? { ok: true, found: numbered } : { ok: true };
  if (/^(?:last|past)\b/i.test(best.text)) return { ok: false, problem: hasBeen };
  if (best.end) {
    return { ok: false, problem: `"${best.text}" is a stretch of time. Name one time, for example "tomorrow at 9am".` };
  }
  const named = { from: best.index, to: best.index + best.text.length, meaning: meaningOf(best) };
  const isBoth = numbered && named.meaning.again === "week" && areNeighbours(text, named, numbered);
  const found = isBoth
    ? { ...numbered, from: Math.min(named.from, numbered.from), to: Math.max(named.to, numbered.to) }
    : named;
  const weekday = best.start.isCertain("weekday") ? best.start.get("weekday") : null;
  if (weekday === null || weekday === new Date(found.meaning.day).getUTCDay()) return { ok: true, found };
  const actual = weekdayNames[new Date(found.meaning.day).getUTCDay()];
  return {
    ok: false,
    problem: `"${text.slice(found.from, found.to).trim()}" is a ${actual}. Name the day or the weekday, not both.`,
  };
}

const mayNameDay =
  /\d|\b(?:tod|tom|yes|next|last|past|this|week|month|year|day|ago|few|couple|end|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;

async function bestResult(text: string, place: Place): Promise<ParsedResult | undefined> {
  // imported when somebody may have named a day: it takes 50 ms and 12 MB
  const { casual } = await import("chrono-node/en");
  const reference = { instant: new Date(place.nowMs), timezone: offsetMs(place.timeZone, place.nowMs) / 60_000 };
  const results = casual.parse(text, reference).filter((result) => isDay(text, result));
  return results.toSorted((one, other) => weight(text, other) - weight(text, one))[0];
}

const hasBeen = 'That has been. Name a time that is still to come, for example "on Friday at 9am".';

function meaningOf({ start }: ParsedResult): NamedDay {
  const field = (name: "year" | "month" | "day" | "hour" | "minute" | "second") => start.get(name) ?? 0;
  const day = Date.UTC(field("year"), field("month") - 1, field("day"));
  const wallMs = day + ((field("hour") * 60 + field("minute")) * 60 + field("second")) * 1_000;
  if (start.isCertain("hour")) {
    return start.isCertain("timezoneOffset") ? { day, wallMs, atMs: start.date().getTime() } : { day, wallMs };
  }
  if (start.isCertain("year")) return { day };
  return { day, again: start.isCertain("day") ? "year" : "week" };
}

// a month alone is no day, and some words are names only where a time stands beside them
function isDay(text: string, result: ParsedResult): boolean {
  const [before, after] = [text.slice(0, result.index), text.slice(result.index + result.text.length)];
  const isBesideTime = /^[\s,]*;/.test(after) || /;[\s,]*$/.test(before);
  if (/^(?:sun|sat|mon|wed|mar|may|now)$/i.test(result.text.trim()) && (!isBesideTime || /\bthe\s+$/i.test(before)))
    return false;
  const isNamed = (["day", "weekday", "hour"] as const).some((field) => result.start.isCertain(field));
  return isNamed || result.tags().has("result/relativeDate");
}

// people begin or end with when; what lies between is rather what they speak of
function weight(text: string, { index, text: words, start }: ParsedResult): number {
  const isAtEnd = index === 0 || /^[\s.!?;]*$/.test(text.slice(index + words.length));
  return (start.isCertain("day") || start.isCertain("weekday") ? 2 : 0) + (isAtEnd ? 1 : 0);
}

/** "29 February", of which chrono knows nothing in other years. */
function findLeapDay(text: string, { nowMs, timeZone }: Place): Piece<NamedDay> | undefined {
  const match =
    /\b(?:on\s{1,3})?(?:(?:the\s{1,3})?29(?:th)?(?:\s{1,3}of)?\s{1,3}feb(?:ruary)?|feb(?:ruary)?\s{1,3}(?:the\s{1,3})?29(?:th)?)\b(?!,?\s{1,3}\d{4})/i.exec(
      text,
    );
  const year = new Date(wallAt(timeZone, nowMs)).getUTCFullYear();
  if (!match) return undefined;
  return { ...spanOf(match), meaning: { day: sameDayFrom(year, new Date(Date.UTC(2024, 1, 29))), again: "year" } };
}

/** "on the 20th": the next one. */
function findMonthDay(text: string, place: Place): Piece<NamedDay> | undefined {
  const match =
    /\b(?:on\s{1,3})?the\s{1,3}(\d{1,2})(?:st|nd|rd|th)\b(?:\s{1,3}of\s{1,3}(?:this|the)\s{1,3}month\b)?(?!\s{1,3}of\b)/i.exec(
      text,
    );
  const wanted = Number(match?.[1] ?? 0);
  if (!match || wanted < 1 || wanted > 31) return undefined;
  return {
    from: match.index,
    to: match.index + match[0].length,
    meaning: { day: nextMonthDay(place, wanted), again: "month" },
  };
}

function nextMonthDay({ nowMs, timeZone }: Place, wanted: number): number {
  let day = wallDay(wallAt(timeZone, nowMs));
  while (new Date(day).getUTCDate() !== wanted) day += dayMs;
  return day;
}

/** The next day that the same words mean. */
export function laterDay({ day, again }: NamedDay): number | undefined {
  const date = new Date(day);
  switch (again) {
    case undefined:
      return undefined;
    case "week":
      return day + 7 * dayMs;
    case "month": {
      let later = day + dayMs;
      while (new Date(later).getUTCDate() !== date.getUTCDate()) later += dayMs;
      return later;
    }
    case "year":
      return sameDayFrom(date.getUTCFullYear() + 1, date);
    default:
      return again satisfies never;
  }
}

// 29 February comes in some years only
function sameDayFrom(year: number, date: Date): number {
  const day = new Date(Date.UTC(year, date.getUTCMonth(), date.getUTCDate()));
  return day.getUTCDate() === date.getUTCDate() ? day.getTime() : sameDayFrom(year + 1, date);
}

// 3/4/2027 is one day in America and another in Europe
function twofoldDate(text: string): string | undefined {
  const match = /(?<![\d/.])(\d{1,2})([/.])(\d{1,2})\2(?:\d{4}|\d{2})(?![\d/])/.exec(text);
  const [one, other] = [Number(match?.[1]), Number(match?.[3])];
  if (!match || one > 12 || other > 12 || one === other) return undefined;
  const year = /\d+$/.exec(match[0])?.[0];
  return `${match[0]} can be read in two ways. Write the month as a word: ${one} ${monthNames[other - 1]} ${year}, or ${other} ${monthNames[one - 1]} ${year}.`;
}
