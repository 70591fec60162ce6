import type { Words } from "../../intent.ts";
import { unquote } from "../../wording.ts";

/** What was caught, without quotes and the end of the sentence; the last point of "6 p.m." belongs to it. */
export function bare(words: Words[string]): string {
  return unquote((words ?? "").trim().replace(/(?<![ap]\.m)[\s.!?]+$/i, ""));
}
