import type { Conversation, ConversationItem, NoticeItem } from "./conversation.ts";

/** A conversation that takes something in: its list is a copy that may change, its items are replaced and never changed. */
export type Draft = Conversation & { items: ConversationItem[] };

export function draftOf<Known extends Conversation>(conversation: Known): Known & Draft {
  return { ...conversation, items: [...conversation.items] };
}

/** Replaces the item with the same id where it stands, or adds it at the end. */
export function putItem(draft: Draft, item: ConversationItem): void {
  const index = draft.items.findLastIndex(({ id }) => id === item.id);
  if (index < 0) draft.items.push(item);
  else draft.items[index] = item;
}

/** The same, but what is new stands before these items: words may be told later than the call that follows them. */
export function putBefore(draft: Draft, item: ConversationItem, laterIds: readonly string[]): void {
  const isKnown = draft.items.some(({ id }) => id === item.id);
  const index = isKnown ? -1 : draft.items.findIndex(({ id }) => laterIds.includes(id));
  if (index < 0) putItem(draft, item);
  else draft.items.splice(index, 0, item);
}

export function dropItem(draft: Draft, id: string): void {
  const index = draft.items.findLastIndex((item) => item.id === id);
  if (index >= 0) draft.items.splice(index, 1);
}

type Kind = ConversationItem["kind"];
type ItemOf<K extends Kind> = Extract<ConversationItem, { kind: K }>;

export function findItem<K extends Kind>(conversation: Conversation, kind: K, id: string): ItemOf<K> | undefined {
  const found = conversation.items.findLast((item) => item.id === id && item.kind === kind);
  return found as ItemOf<K> | undefined;
}

/** The same among the items of the turn under way: text comes in many small pieces, and a conversation may be long. */
export function findInTurn<K extends Kind>(draft: Draft, kind: K, id: string): ItemOf<K> | undefined {
  const startSeq = draft.turn?.startSeq ?? 0;
  for (let index = draft.items.length - 1; index >= 0; index--) {
    const item = draft.items[index];
    if (item?.id === id && item.kind === kind) return item as ItemOf<K>;
    // a message may be older than the turn that took it
    if (item && item.kind !== "person" && item.seq < startSeq) return undefined;
  }
  return undefined;
}

export function itemId(kind: "answer" | "reasoning" | "tool", turn: string, part: number | string): string {
  return `${kind}:${turn}:${part}`;
}

export function putNotice(
  draft: Draft,
  id: string,
  notice: Pick<NoticeItem, "tone" | "text" | "detail" | "help" | "recalled"> & { turn?: string },
): void {
  putItem(draft, { kind: "notice", id, seq: draft.lastSeq, ...notice });
}

export function dropHalfWritten(draft: Draft): void {
  draft.items = draft.items.filter(
    (item) => !((item.kind === "answer" || item.kind === "reasoning") && item.streaming),
  );
}
