import type { ApprovalDecision, EventOf } from "../event.ts";
import type { FailedAttempt } from "../model.ts";
import type { LiveSignal } from "../wire/live-signal.ts";
import { formatDuration } from "../words/amounts.ts";
import { visibleLine } from "../words/visible-line.ts";

/** "claude-sonnet-4-5: anthropic is overloaded (529)." */
export function failedWords({ model, reason }: Pick<FailedAttempt, "model" | "reason">): string {
  return `${shortModel(model)}: ${visibleLine(reason, 160).replace(/\.$/, "")}.`;
}

export function retryWords(
  { model, reason, attempt, delayMs }: Extract<LiveSignal, { type: "live.retry" }>,
  failed?: FailedAttempt,
): string {
  const why = failedWords(failed ?? { model, reason });
  if (failed && failed.model !== model) return `${why} Asking ${shortModel(model)} instead.`;
  const when = delayMs === 0 ? "now" : `in ${formatDuration(delayMs)}`;
  return `${why} Trying again ${when} (try ${attempt}).`;
}

/** Why another model answered, with what to do about it where that is known. */
export function takeoverWords(before: string, after: string, failed?: FailedAttempt): string {
  const isSameModel = shortModel(before) === shortModel(after);
  const [one, other] = isSameModel
    ? [visibleLine(before, 80), visibleLine(after, 80)]
    : [shortModel(before), shortModel(after)];
  if (!failed) return `${one} did not answer; ${other} took over.`;
  return `${one} did not answer: ${visibleLine(failed.message, 300)} This time ${other} took over.`;
}

export function refusalWords(event: EventOf<"message.refused">): string {
  return `“${visibleLine(event.text, 60)}” was not taken: ${event.reason}`;
}

export function compactionWords(event: EventOf<"conversation.compacted">): string {
  return `Earlier messages were summarised: the model now sees ${event.messagesAfter} instead of ${event.messagesBefore}.`;
}

export function decisionWords(decision: ApprovalDecision, because: string | undefined): string {
  const reason = because === undefined || because.trim() === "" ? "" : `: ${visibleLine(because, 200)}`;
  if (decision === "expired") return "Nobody answered in time, which counts as no";
  return `${{ approved: "Approved", denied: "Denied", withdrawn: "No longer needed" }[decision]}${reason}`;
}

/** `anthropic/claude-sonnet-4-5` → `claude-sonnet-4-5` */
export function shortModel(name: string): string {
  if (isBuiltIn(name)) return "built-in rules";
  const slash = name.indexOf("/");
  return visibleLine(slash < 0 ? name : name.slice(slash + 1), 60);
}

/** The model that comes with Steward: plain rules, no language model. */
export function isBuiltIn(name: string): boolean {
  return name.startsWith("offline/");
}
