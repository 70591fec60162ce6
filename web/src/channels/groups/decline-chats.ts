// Which of the chats that were seen are still to be asked about. Only the notice goes; the list below keeps them all.
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import { count } from "../../../../src/contract/words/amounts.ts";

type Seen = MethodResult<"groups.list">["seen"];
type Kept = Pick<Storage, "getItem" | "setItem">;

const key = "steward.declined-chats";
const mostKept = 200;

export function waitingChats(storage: Kept, seen: Seen): Seen {
  const declined = new Set(declinedIn(storage));
  return seen.filter((chat) => !declined.has(keyOf(chat)));
}

export function declineChats(storage: Kept, chats: Seen): void {
  const all = new Set([...declinedIn(storage), ...chats.map(keyOf)]);
  storage.setItem(key, [...all].slice(-mostKept).join("\n"));
}

/** Goes on after the title of the newest one. */
export function waitingWords(many: number): string {
  const verb = many === 1 ? "is" : `and ${count(many - 1, "other chat")} are`;
  return `${verb} waiting: let Steward answer there?`;
}

function declinedIn(storage: Kept): readonly string[] {
  return storage.getItem(key)?.split("\n") ?? [];
}

function keyOf({ channel, address: { chat } }: Seen[number]): string {
  return `${channel} ${encodeURIComponent(chat)}`;
}
