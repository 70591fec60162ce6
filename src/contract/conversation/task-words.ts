// What a conversation says of tasks: who speaks there, and why a run was asked for.
import type { RunRef } from "../task/task.ts";
import type { SpeakingTask } from "./conversation.ts";

const headings = { reminder: "Reminder", answer: "Task", question: "Task asks" } as const;

/** "Task · Visitors"; a reminder that was named after its own words is not told them twice. */
export function taskHeading({ title, says }: SpeakingTask, text: string): string {
  const isNamedAfterWords = says === "reminder" && text.startsWith(title.replace(/…$/, ""));
  return isNamedAfterWords ? headings[says] : `${headings[says]} · ${title}`;
}

const beforeQuestion = "I wait for your answer before I go on:\n\n";
const afterQuestion = "\n\nAnswer in the Inbox, or with: steward approvals";

/** A question of a run as it is written wherever the owner reads, also where there is nothing to press. */
export function questionWords(question: string): string {
  return `${beforeQuestion}${question}${afterQuestion}`;
}

/** The question alone, for a client that offers the way to its answer itself. */
export function questionIn(words: string): string {
  const isWhole = words.startsWith(beforeQuestion) && words.endsWith(afterQuestion);
  return isWhole ? words.slice(beforeQuestion.length, -afterQuestion.length) : words;
}

const causes: Readonly<Record<RunRef["cause"], string>> = {
  schedule: "due",
  webhook: "begun by a webhook",
  file: "begun by a changed file",
  mail: "begun by a mail",
  command: "begun by a command that ended",
  task: "begun by another task",
  asked: "run by hand",
  heartbeat: "heartbeat",
};

/** "Task · due 16 Nov 2026, 18:00, also for 2 times that were missed" */
export function runWords({ cause, dueAtMs, missed, attempt }: RunRef): string {
  const at = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(dueAtMs);
  const words = cause === "schedule" ? `${causes[cause]} ${at}` : `${causes[cause]}, ${at}`;
  const others = missed === undefined ? "" : `, also for ${missed === 1 ? "a time" : `${missed} times`} missed before`;
  return `Task · ${words}${others}${attempt !== undefined && attempt > 1 ? `, try ${attempt}` : ""}`;
}
