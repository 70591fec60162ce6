// A message that an address names by its number: which item it is, and how it is brought into sight.
import type { ConversationItem } from "../../../src/contract/conversation/conversation.ts";

/** The item that tells of the event, or the one before it: an event may have none of its own. -1: it lies further back. */
export function placeOfSeq(items: readonly ConversationItem[], seq: number): number {
  const exact = items.findIndex((item) => item.seq === seq);
  return exact >= 0 ? exact : items.findLastIndex((item) => item.seq <= seq);
}

const shownMs = 2_400;

export function bringIntoSight(element: Element): void {
  const scroll = () => element.scrollIntoView({ block: "center" });
  scroll();
  // what lies far outside the window has a guessed height until it is near
  requestAnimationFrame(() => {
    scroll();
    requestAnimationFrame(scroll);
  });
  const lit = { backgroundColor: "var(--accent-soft)", boxShadow: "0 0 0 8px var(--accent-soft)", borderRadius: "2px" };
  element.animate([lit, lit, { backgroundColor: "transparent", boxShadow: "0 0 0 8px transparent" }], shownMs);
}
