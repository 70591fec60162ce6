// What is told of a conversation comes in, what a person sees of it goes out: the one fold for all clients.

import type { Event } from "../event.ts";
import type { Followed } from "../wire/client.ts";
import type { LiveSignal } from "../wire/live-signal.ts";
import type { Conversation, NoticeTone } from "./conversation.ts";
import { foldEvent } from "./fold-event.ts";
import { foldLive } from "./fold-live.ts";
import { type Draft, draftOf, dropHalfWritten, dropItem, putNotice } from "./item-list.ts";

/** One copy of the list for all that is told at once. What says nothing new gives back the same conversation. */
export function foldConversation<Known extends Conversation>(before: Known, told: readonly Followed[]): Known {
  let draft: (Known & Draft) | undefined;
  for (const followed of told) {
    if (!isNews(draft ?? before, followed)) continue;
    draft ??= draftOf(before);
    if (isLive(followed)) foldLive(draft, followed);
    else foldEvent(draft, followed);
  }
  return draft ?? before;
}

export function isLive(followed: Followed): followed is LiveSignal {
  return followed.type.startsWith("live.");
}

// an event that was seen before is old, and so is a live signal of a step that is written down
function isNews(conversation: Conversation, followed: Followed): boolean {
  if (followed.conversation !== conversation.key) return false;
  if (!isLive(followed)) return followed.seq > conversation.lastSeq;
  const { turn } = conversation;
  return turn?.id === followed.turn && !("step" in followed && followed.step <= turn.finishedStep);
}

/** The same conversation with events before those it began with; what is only live stays as it is. */
export function foldEarlier(current: Conversation, beginning: Conversation, events: readonly Event[]): Conversation {
  const folded = foldConversation(beginning, events);
  const known = new Set(folded.items.map((item) => item.id));
  // with what came before it, an answer may turn out to be said already, and a gap to begin earlier
  const live = current.items.filter((item) => !known.has(item.id) && !/^(?:reply|ending|forgotten):/.test(item.id));
  const turn =
    folded.turn && folded.turn.id === current.turn?.id
      ? { ...folded.turn, joinedMidway: current.turn.joinedMidway }
      : folded.turn;
  return { ...folded, items: [...folded.items, ...live], turn };
}

/** This client was not there when the step under way began, or lost sight of it: what it has of it is not the whole. */
export function joinMidway<Known extends Conversation>(conversation: Known): Known {
  if (!conversation.turn) return conversation;
  const draft = draftOf(conversation);
  dropHalfWritten(draft);
  return { ...draft, turn: { ...conversation.turn, joinedMidway: true } };
}

/** A remark of the client itself. One with the same id takes the place of the one before. */
export function addNotice<Known extends Conversation>(
  conversation: Known,
  id: string,
  notice: { tone: NoticeTone; text: string },
): Known {
  const draft = draftOf(conversation);
  putNotice(draft, id, notice);
  return draft;
}

export function dropNotice<Known extends Conversation>(conversation: Known, id: string): Known {
  const draft = draftOf(conversation);
  dropItem(draft, id);
  return draft;
}
