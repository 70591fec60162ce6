import type { Said } from "./intent.ts";
import { questions } from "./questions.ts";
import type { Asked } from "./read-turn.ts";

/** What a person asked for before, together with this answer to our question about it. */
export function completeSentence({ text, earlier }: Pick<Asked, "text" | "earlier">): string | undefined {
  const answer = withoutEnd(text);
  const [asked, question] = lastQuestion(earlier) ?? [];
  if (asked === undefined || question === undefined || answer === "") return undefined;
  const slip = questions.slip.exec(question);
  if (slip) return /^(?:yes|yep|yeah|right|correct)\b/i.test(answer) ? corrected(asked, slip) : undefined;
  const isTime = timeWord.test(answer) && answer.length < 80;
  if (questions.when.test(question))
    return isTime ? `${asked} ${/^\d/.test(answer) ? `at ${answer}` : answer}` : undefined;
  // whoever asks something has left the matter
  if (/\?\s*$/.test(text)) return undefined;
  if (questions.what.test(question)) return `${asked} to ${answer.replace(/^(?:to|about|of|that)\s+/i, "")}`;
  if (questions.length.test(question)) return `${asked} for ${answer.replace(/^for\s+/i, "")}`;
  return questions.both.test(question) || questions.alarm.test(question) ? `${asked} ${answer}` : undefined;
}

const timeWord =
  /\d|\b(?:at|in|on|every|each|next|this|tom|tod|ton|tmr|mon|tue|wed|thu|fri|sat|sun|noon|mid|morning|evening|afternoon|night|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|quarter|hour|day|week|month|daily|hourly)/i;

function corrected(asked: string, [, meant = "", written = ""]: RegExpExecArray): string {
  return asked.replaceAll(written, meant);
}

/** The wish that the question was about: of several answers that were none, the first words count. */
function lastQuestion(earlier: readonly Said[]): [asked: string, question: string] | undefined {
  let found: [string, string] | undefined;
  let question: string | undefined;
  for (const said of earlier.toReversed()) {
    if (said.by === "assistant" && question === undefined) {
      if (!said.isOwn || !Object.values(questions).some((pattern) => pattern.test(said.text))) return found;
      question = said.text;
    } else if (said.by === "person") {
      if (question === undefined) return found;
      found = [withoutEnd(said.text), found?.[1] ?? question];
      if (isWish.test(said.text.trim())) return found;
      question = undefined;
    }
  }
  return found;
}

const isWish = /\b(?:remind|reminder|notify|ping|nudge|alert|timer|alarm|wake|schedule|snooze|move|reschedule)\b/i;

/** Without the blanks and points at its end; counted by hand, for a pattern is slow on a long row of them (ReDoS). */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s.!?]/.test(text[end - 1] ?? "")) end -= 1;
  return text.slice(0, end).trimStart();
}
