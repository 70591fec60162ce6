import type { EventOf } from "../event.ts";
import type { AnswerItem, ConversationItem } from "./conversation.ts";
import { type Draft, findItem } from "./item-list.ts";

const idStart = "forgotten:";

/** Where something is missing one quiet line says so, however often something was forgotten there. */
export function foldForgotten(draft: Draft, { seqs }: EventOf<"messages.forgotten">): void {
  const gone = new Set(seqs);
  const items = new Map<string, ConversationItem>();
  const put = (item: ConversationItem) => void (items.has(item.id) || items.set(item.id, item));
  let isGap = false;
  for (const item of draft.items) {
    const left = whatIsLeft(draft, item, gone);
    const isMissing = left !== item && isMissed(item);
    if (isMissing && !isGap) put(gapNotice(item));
    if (left) put(left);
    isGap = isMissing || (isGap && !left);
  }
  draft.items = [...items.values()];
  draft.waiting = draft.waiting.filter((item) => !gone.has(item.seq));
}

/** Undefined: nothing. What was answered stays as long as the reply that says the same, and a call without its output. */
function whatIsLeft(draft: Draft, item: ConversationItem, gone: ReadonlySet<number>): ConversationItem | undefined {
  if (item.id.startsWith(idStart)) return undefined;
  if (item.kind === "answer" && gone.has(item.seq)) return replyInPlaceOf(draft, item, gone);
  if (gone.has(item.seq)) return undefined;
  if (item.kind === "tool" && item.returned !== undefined && gone.has(item.returned))
    return { ...item, output: "", attachments: [], changes: [] };
  return item;
}

function replyInPlaceOf(draft: Draft, item: AnswerItem, gone: ReadonlySet<number>): AnswerItem | undefined {
  const { reply, turn, text } = item;
  if (reply === undefined || gone.has(reply)) return undefined;
  const id = `reply:${reply}`;
  const attachments = findItem(draft, "answer", id)?.attachments ?? [];
  return { kind: "answer", id, seq: reply, turn, text, streaming: false, partial: false, attachments };
}

// of these nothing is left in the log that an item could be made of, so whoever reads it anew misses nothing there
function isMissed(item: ConversationItem): boolean {
  return item.kind !== "reasoning" && (item.kind !== "answer" || item.task !== undefined);
}

function gapNotice({ id, seq }: ConversationItem): ConversationItem {
  const text = "Something was forgotten here, for good.";
  return { kind: "notice", id: id.startsWith(idStart) ? id : `${idStart}${id}`, seq, tone: "quiet", text };
}
