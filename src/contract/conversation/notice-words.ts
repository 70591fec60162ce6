import type { ApprovalDecision, EventOf } from "../event.ts";
import type { LiveSignal } from "../live-signal.ts";
import { formatDuration } from "../words/amounts.ts";

export function retryWords(signal: Extract<LiveSignal, { type: "live.retry" }>): string {
  const reason = visibleLine(signal.reason, 160).replace(/\.$/, "");
  const wait = formatDuration(signal.delayMs);
  return `${shortModel(signal.model)}: ${reason}. Trying again in ${wait} (try ${signal.attempt + 1}).`;
}

export function compactionWords(event: EventOf<"conversation.compacted">): string {
  return `Earlier messages were summarised: the model now sees ${event.messagesAfter} instead of ${event.messagesBefore}.`;
}

export function decisionWords(decision: ApprovalDecision, because: string | undefined): string {
  const reason = because === undefined || because.trim() === "" ? "" : `: ${visibleLine(because, 200)}`;
  switch (decision) {
    case "approved":
      return `Approved${reason}`;
    case "denied":
      return `Denied${reason}`;
    case "expired":
      return "Nobody answered in time, which counts as no";
    case "withdrawn":
      return `No longer needed${reason}`;
    default:
      return decision satisfies never;
  }
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

// control characters, and the marks that turn reading order around and could make a name look like another
const unseen = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]+/gu;

/** One line of what a model, a tool or a stranger wrote, for places where a line must not pass for our own words. */
export function visibleLine(text: string, mostCharacters = 300): string {
  const line = text
    .slice(0, mostCharacters * 4)
    .replace(unseen, " ")
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return characters.length > mostCharacters ? `${characters.slice(0, mostCharacters - 1).join("")}…` : line;
}
