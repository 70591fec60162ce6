// When somebody wants something, in the words of a person or a program, as a schedule.
import type { Schedule } from "../../contract/task/task.ts";
import { scheduleProblem, timeZoneProblem } from "./check-schedule.ts";
import { findTime } from "./phrases/find-time.ts";
import { type Bare, readExact } from "./phrases/read-exact.ts";
import { readOwnWords } from "./phrases/read-own-words.ts";
import { restOf, wordsOf } from "./phrases/rest-of.ts";
import { correctSlips, slipBeside, slipIn, slipQuestion, takeBackSlips } from "./phrases/spelling.ts";

/** `bare`: what a duration alone, such as `90m`, means: that long from now (if left out), or again and again. */
export type WhenPlace = { nowMs: number; timeZone: string; bare?: Bare };

export type WhenRead = { ok: true; schedule: Schedule } | { ok: false; problem: string };
export type WhenFound = { ok: true; schedule: Schedule; rest: string } | { ok: false; problem: string };

const examples =
  'Write for example "in 20 minutes", "tomorrow at 6pm", "every weekday at 9am", 2026-12-24T18:00, or a cron expression such as 0 9 * * 1-5';
// a time is said in fewer words; a sentence around it may be a long one
const longestTime = 500;
const longestSentence = 8_000;

/** Reads words that say when and nothing else. */
export async function readWhen(words: string, at: WhenPlace): Promise<WhenRead> {
  const text = correctSlips(words.trim().replace(/\s+/g, " "));
  const zoneProblem = timeZoneProblem(at.timeZone);
  if (zoneProblem) return { ok: false, problem: zoneProblem };
  if (text === "") return { ok: false, problem: `Say when. ${examples}.` };
  if (text.length > longestTime) return { ok: false, problem: `That is too long to be a time. ${examples}.` };
  const exact = readExact(text, at, at.bare ?? "once") ?? (await readOwnWords(text, at));
  if (exact) return exact.ok ? checked(exact.schedule, at.nowMs) : exact;
  const time = await findTime(text, at);
  if (time && !time.ok) return time;
  if (!time) return notFound(text, `I cannot tell when "${shortened(text)}" is.`);
  const left = restOf(text, time.spans).replace(
    /\b(?:please|sharp|exactly|starting now|from now on|and|on|the)\b/gi,
    "",
  );
  if (!/[\p{L}\p{N}]/u.test(left)) return checked(time.schedule, at.nowMs);
  const slip = slipIn(left);
  if (slip) return { ok: false, problem: slipQuestion(slip) };
  const understood = wordsOf(text, time.spans);
  return {
    ok: false,
    problem: `I understand "${shortened(understood)}" but not "${shortened(left.trim())}". ${examples}.`,
  };
}

/** Finds when in a sentence that also says what: `rest` is what. */
export async function findWhen(sentence: string, at: WhenPlace): Promise<WhenFound> {
  const zoneProblem = timeZoneProblem(at.timeZone);
  if (zoneProblem) return { ok: false, problem: zoneProblem };
  if (sentence.trim().length > longestSentence) {
    return { ok: false, problem: "That is too long for me to find the time in it. Say when in a sentence of its own." };
  }
  const text = correctSlips(sentence.trim());
  const time = await findTime(text, at);
  if (time && !time.ok) return time;
  if (!time) return notFound(text, "I find no time in that.");
  const slip = slipBeside(text, time.spans);
  if (slip) return { ok: false, problem: slipQuestion(slip) };
  const limit = limitAfter(text, Math.max(...time.spans.map(({ to }) => to)));
  if (limit)
    return { ok: false, problem: `I cannot keep to "${shortened(limit)}". Leave it out, or write a cron expression.` };
  const schedule = checked(time.schedule, at.nowMs);
  return schedule.ok ? { ...schedule, rest: takeBackSlips(restOf(text, time.spans), sentence) } : schedule;
}

function notFound(text: string, words: string): { ok: false; problem: string } {
  const slip = slipIn(text);
  return { ok: false, problem: slip ? slipQuestion(slip) : `${words} ${examples}.` };
}

function checked(schedule: Schedule, nowMs: number): WhenRead {
  const problem = scheduleProblem(schedule, nowMs);
  return problem ? { ok: false, problem } : { ok: true, schedule };
}

// what follows the time and narrows it would otherwise be lost without a word
function limitAfter(text: string, to: number): string | undefined {
  const after = text.slice(to, to + 80);
  return /^[\s,]*((?:except|excluding|but not|until|till|starting|beginning|between|unless it is)\b.*)/i.exec(
    after,
  )?.[1];
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
