import type { ApprovalDecision, EventOf } from "../event.ts";
import type { LiveSignal } from "../wire/live-signal.ts";
import { formatDuration } from "../words/amounts.ts";
import { visibleLine } from "../words/visible-line.ts";

export function retryWords(signal: Extract<LiveSignal, { type: "live.retry" }>): string {
  const reason = visibleLine(signal.reason, 160).replace(/\.$/, "");
  const wait = formatDuration(signal.delayMs);
  return `${shortModel(signal.model)}: ${reason}. Trying again in ${wait} (try ${signal.attempt + 1}).`;
}

export function takeoverWords(before: string, after: string): string {
  const isSameModel = shortModel(before) === shortModel(after);
  const [one, other] = isSameModel
    ? [visibleLine(before, 80), visibleLine(after, 80)]
    : [shortModel(before), shortModel(after)];
  return `${one} did not answer; ${other} took over.`;
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
