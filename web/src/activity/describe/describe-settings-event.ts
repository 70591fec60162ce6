import type { EventOf } from "../../../../src/contract/event.ts";
import type { Scope } from "../../../../src/contract/wire/access.ts";
import { type ActivityLine, assistant, type EventContext, whoIs } from "../activity-line.ts";
import { modelName } from "./describe-turn-event.ts";

/** What somebody with this scope can do, after "who" or "it". */
const scopeWords: Readonly<Record<Scope, string>> = {
  owner: "may do everything",
  read: "may look at everything",
  approve: "may see and answer questions",
  task: "may use one conversation",
};

export function describeAccess(event: EventOf<"access.granted">, context: EventContext): ActivityLine {
  const conversation = context.nameOfConversation(event.conversation);
  const where = event.scope === "task" && conversation ? ` (${conversation})` : "";
  return {
    icon: "key",
    who: event.name || "Somebody",
    sentence: "was let in",
    detail: `${scopeWords[event.scope]}${where}`,
    tone: event.scope === "owner" ? "warning" : "quiet",
  };
}

export function describeRevocation(event: EventOf<"access.revoked">): ActivityLine {
  return { icon: "key", who: whoIs(event.by), sentence: "took somebody's access away", tone: "quiet" };
}

export function describeSettings(event: EventOf<"settings.changed">): ActivityLine {
  return {
    icon: "settings",
    who: whoIs(event.by),
    sentence: "changed settings:",
    subject: { text: event.keys.join(", "), as: "code" },
    tone: "quiet",
  };
}

export function describeConfiguration(event: EventOf<"conversation.configured">): ActivityLine {
  const place = { icon: "settings", who: "You", tone: "quiet" } as const;
  if (event.title !== undefined)
    return { ...place, icon: "edit", sentence: "named the conversation", subject: { text: event.title, as: "words" } };
  if (event.model !== undefined)
    return event.model === null
      ? { ...place, sentence: "went back to the usual model" }
      : { ...place, sentence: "chose the model", subject: { text: modelName(event.model), as: "code" } };
  if (event.thinking !== undefined)
    return { ...place, sentence: event.thinking === null ? "set thinking as usual" : thinkingWords(event.thinking) };
  if (event.agent !== undefined) return { ...place, sentence: "chose who answers in the conversation" };
  return { ...place, icon: "plus", sentence: "began a conversation" };
}

function thinkingWords(level: string): string {
  return level === "off" ? "switched thinking off" : `set thinking to ${level}`;
}

export function describeCompaction(event: EventOf<"conversation.compacted">): ActivityLine {
  return {
    icon: "more",
    who: assistant,
    sentence: "summarised the older messages",
    detail: `the model now sees ${event.messagesAfter} instead of ${event.messagesBefore}`,
    tone: "quiet",
  };
}
