// `add group "Family Chat"` and its like, as the owner says them in their own chat, with or without the assistant's name before.
import type { FoundCommand } from "./chat-place.ts";

const quoted = `(?:"([^"]{1,120})"|“([^”]{1,120})”|([^"“]{1,120}))`;
const addition = new RegExp(`^(?:@\\w+[,:]?\\s+)?(?:add|register)\\s+(?:the\\s+)?group\\s+${quoted}$`, "i");
const removal = new RegExp(`^(?:@\\w+[,:]?\\s+)?(?:remove|unregister)\\s+(?:the\\s+)?group\\s+${quoted}$`, "i");
const list = /^(?:@\w+[,:]?\s+)?(?:list|show)\s+(?:my\s+|the\s+|all\s+)?groups[.!?]?$/i;

export function readGroupOrder(text: string): FoundCommand | undefined {
  const said = text.trim();
  if (list.test(said)) return { name: "groups", rest: "" };
  const added = addition.exec(said);
  if (added) return { name: "addgroup", rest: nameIn(added) };
  const removed = removal.exec(said);
  return removed ? { name: "removegroup", rest: nameIn(removed) } : undefined;
}

function nameIn(match: RegExpExecArray): string {
  return (match[1] ?? match[2] ?? match[3] ?? "").trim();
}
