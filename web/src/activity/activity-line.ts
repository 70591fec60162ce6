import type { ToolOutcome } from "../../../src/contract/event.ts";
import type { Sender } from "../../../src/contract/sender.ts";
import type { Tone } from "../app/app.ts";
import { sourceWords } from "../inbox/approval-words.ts";
import type { IconName } from "../style/icons.ts";

/** One event as a person reads it: who, what they did, to what, and what else is worth a glance. */
export type ActivityLine = {
  icon: IconName;
  who: string;
  sentence: string;
  /** A command, a file, a web address or somebody's own words, shown as they are. */
  subject?: { text: string; as: "code" | "words"; href?: string };
  detail?: string;
  tone: Tone;
};

/** What other events know about this one. */
export type EventContext = {
  /** What a call was told, when the step that made it is at hand. */
  argumentsOf(callId: string): unknown;
  questionOf(approvalId: string): { tool: string; arguments: unknown } | undefined;
  nameOfConversation(sessionKey: string): string | undefined;
  titleOfTask(id: string): string | undefined;
};

export const assistant = "Steward";

export function whoIs(sender: Sender): string {
  switch (sender.kind) {
    case "owner":
      return "You";
    case "group":
      return sender.name ?? "Somebody in the group";
    case "stranger":
      return sender.name ? `${sender.name} (a stranger)` : "A stranger";
    case "system":
      return assistant;
    default:
      return sender.kind satisfies never;
  }
}

export const outcomeNames: Readonly<Record<ToolOutcome, string>> = {
  done: "done",
  failed: "did not work",
  denied: "not allowed",
  stopped: "stopped",
  unknown: "nobody knows whether it was done",
};

/** "has read text from a page of example.org": whose words may be behind what it does. */
export function originWords(labels: readonly string[]): string | undefined {
  if (labels.length === 0) return undefined;
  const names = [...new Set(labels.map(sourceWords))];
  const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} others`] : names;
  return `has read text from ${new Intl.ListFormat("en", { type: "conjunction" }).format(shown)}`;
}

export function taskPath(id: string): string {
  return `/tasks/${encodeURIComponent(id)}`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
