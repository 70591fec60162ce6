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

export function describeSignIn({ name, how, from, client }: EventOf<"access.signed_in">): ActivityLine {
  const sentence = how === "code" ? "came in with a one-time code" : "came in";
  return {
    icon: "key",
    who: name || "Somebody",
    sentence,
    detail: [`from ${from}`, client].filter(Boolean).join(", "),
    tone: "quiet",
  };
}

const refusalWords: Readonly<Record<EventOf<"access.refused">["what"], string>> = {
  code: "was turned away with a wrong code",
  token: "was turned away with a wrong token",
  session: "was turned away with a session that has ended or never was",
  "locked out": "tried again while locked out",
};

export function describeTurnedAway({ what, from, client, times, tokenId }: EventOf<"access.refused">): ActivityLine {
  const ended = tokenId === undefined ? "" : `it was ${tokenId}, which has ended`;
  const often = times === 1 ? "" : `${times} times`;
  const detail = [often, `from ${from}`, client, ended].filter(Boolean).join(", ");
  return { icon: "key", who: "Somebody", sentence: refusalWords[what], detail, tone: "warning" };
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
