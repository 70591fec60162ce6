import { foldApproval } from "../../contract/conversation/fold-approvals.ts";
import { addNotice, dropNotice, foldConversation, isLive } from "../../contract/conversation/fold-conversation.ts";
import { openApproval } from "../../contract/conversation/open-approval.ts";
import type { Event } from "../../contract/event.ts";
import type { Followed } from "../../contract/wire/client.ts";
import { type ChatState, elsewhereWords } from "./chat-state.ts";

/** Takes in what is told of any conversation; an event that was seen before changes nothing. */
export function foldFollowed(state: ChatState, followed: Followed): ChatState {
  if (isLive(followed)) return foldConversation(state, [followed]);
  if (followed.seq <= state.followedThrough) return state;
  const approvals = foldApproval(state.approvals, followed);
  const seen = { ...state, followedThrough: followed.seq, approvals };
  return followed.conversation === state.key ? foldHere(seen, followed) : foldElsewhere(seen, followed);
}

function foldHere(state: ChatState, event: Event): ChatState {
  const folded = foldConversation(state, [event]);
  if (event.type === "conversation.deleted")
    return addNotice(folded, `deleted:${event.seq}`, { tone: "quiet", text: "This conversation was deleted." });
  if (event.type !== "message.received" && event.type !== "message.refused") return folded;
  // the answer to chat.send may come after the event; until then the text tells which outgoing message this is
  const sent = state.outgoing.find((message) => message.seq === event.seq || message.text === event.text);
  if (!sent) return folded;
  const outgoing = state.outgoing.filter((message) => message !== sent);
  return { ...folded, outgoing, own: new Set([...state.own, event.seq]) };
}

function foldElsewhere(before: ChatState, event: Event): ChatState {
  // sent just before this chat turned to another conversation
  const outgoing = before.outgoing.filter((message) => message.seq === undefined || message.seq > event.seq);
  const state = { ...before, outgoing };
  if (event.type === "approval.asked") {
    const text = elsewhereWords(openApproval(event));
    return addNotice(state, `elsewhere:${event.approvalId}`, { tone: "quiet", text });
  }
  return event.type === "approval.answered" ? dropNotice(state, `elsewhere:${event.approvalId}`) : state;
}
