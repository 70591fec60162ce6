// What a run says of itself to people.
import type { RunRef } from "../../contract/task/task.ts";
import { count } from "../../contract/words/amounts.ts";

/** A time is late once a person would call it so. */
export const lateAfterMs = 60_000;

export function lateWords({ dueAtMs, cause, missed }: RunRef, nowMs: number, timeZone: string): string {
  if (cause !== "schedule" || nowMs - dueAtMs <= lateAfterMs) return "";
  const also = missed === undefined ? "" : `, and ${count(missed, "time")} before that`;
  return `\n(Late: this was due ${momentWords(dueAtMs, timeZone)}${also}.)`;
}

/** `Mon 16 Nov 18:00` */
export function momentWords(atMs: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    ...({ weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" } as const),
    ...({ hourCycle: "h23", timeZone } as const),
  });
  return format.format(atMs).replaceAll(",", "");
}

const quietWords = /^[\s*_`"'.!]*(?:HEARTBEAT_OK|NOTHING_TO_REPORT)[\s*_`"'.!]*$/;

/** The answer of a run that has nothing to tell. */
export function isQuiet(answer: string): boolean {
  return quietWords.test(answer) || answer.trim() === "";
}
