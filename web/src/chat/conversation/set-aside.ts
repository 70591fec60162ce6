// Saying something else instead: which message is replaced, and what is set aside by it.
import type { AnswerItem, ConversationItem, PersonItem } from "../../../../src/contract/conversation/conversation.ts";

/** The message that an answer answers. */
export function questionOf(items: readonly ConversationItem[], turn: string): PersonItem | undefined {
  const end = items.findLastIndex((item) => item.turn === turn && item.kind !== "person");
  return items.slice(0, end + 1).findLast((item) => item.kind === "person");
}

export function lastOwnMessage(items: readonly ConversationItem[]): PersonItem | undefined {
  return items.findLast((item): item is PersonItem => item.kind === "person" && item.from === undefined);
}

/** Undefined when nothing comes after the message. */
export function setAsideWords(items: readonly ConversationItem[], seq: number): string | undefined {
  const later = items.filter((item) => item.seq > seq);
  const answers = new Set(later.flatMap((item) => (isSaid(item) ? [item.turn ?? item.id] : [])));
  const count = answers.size + later.filter((item) => item.kind === "person").length;
  if (count === 0) return undefined;
  return count === 1 ? "1 later message is set aside" : `${count} later messages are set aside`;
}

/** Everything Steward said in a turn, for copying. */
export function answerText(items: readonly ConversationItem[], turn: string): string {
  return items.flatMap((item) => (isSaid(item) && item.turn === turn ? [item.text.trim()] : [])).join("\n\n");
}

function isSaid(item: ConversationItem): item is AnswerItem {
  return item.kind === "answer" && item.ending === undefined;
}
