import type { Conversation } from "../../../../src/contract/conversation/conversation.ts";

/** What someone who does not see the page is told when the conversation changes; undefined when that is nothing. */
export function announcementOf(before: Conversation, after: Conversation): string | undefined {
  if (before.key !== after.key || before.lastSeq === 0) return undefined;
  const isWaiting = after.turn?.waitingSinceMs !== undefined;
  if (isWaiting && before.turn?.waitingSinceMs === undefined) return "Approval needed";
  if (after.turn && !isWaiting && after.turn.id !== before.turn?.id) return "Steward is answering";
  if (after.turn || !before.turn) return undefined;
  const last = after.items.findLast((item) => item.kind === "cost");
  if (last?.kind !== "cost" || last.turn !== before.turn.id) return undefined;
  return last.ending === "answered" ? "Answer finished" : "Steward ended without a full answer";
}

/** What goes on right now, for the line below the last message. */
export function activityWords(conversation: Conversation): string | undefined {
  const { turn, items } = conversation;
  if (!turn) return undefined;
  if (turn.stopping) return "Stopping…";
  // the question itself says so
  if (turn.waitingSinceMs !== undefined) return undefined;
  const last = items.at(-1);
  // what is being written or thought is the last line itself
  if ((last?.kind === "answer" || last?.kind === "reasoning") && last.streaming) return undefined;
  return last?.kind === "tool" && last.status === "running" ? undefined : "Working…";
}
