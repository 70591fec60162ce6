// What of the memory is told in words: where something stands, when it was said, what the index holds.
import type { MemoryPlace } from "../../../src/contract/memory/memory-place.ts";
import type { Session } from "../../../src/contract/wire/method.ts";
import type { MemoryStatus } from "../../../src/contract/wire/methods/memory.ts";
import { count, formatBytes } from "../../../src/contract/words/amounts.ts";
import { isBackground, sessionName } from "../words.ts";

/** "MEMORY.md, lines 3–5", or the name of a conversation. */
export function placeWords(place: MemoryPlace, sessions: readonly Session[]): string {
  const { path, startLine, endLine, sessionKey } = place;
  if (path === undefined) return conversationWords(sessionKey ?? "", sessions);
  if (startLine === undefined) return path;
  const isOne = endLine === undefined || endLine === startLine;
  return isOne ? `${path}, line ${startLine}` : `${path}, lines ${startLine}–${endLine}`;
}

export function conversationWords(sessionKey: string, sessions: readonly Session[]): string {
  const session = sessions.find((one) => one.sessionKey === sessionKey);
  if (session) return sessionName(session);
  return isBackground(sessionKey) ? "A task" : "A conversation";
}

/** "2026-11-15" as people write it here; anything else as it is. */
export function dayWords(date: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(date) && Number.isFinite(Date.parse(date));
  if (!isDay) return date;
  // a bare day is midnight in UTC, and another day in half of the world
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" }).format(Date.parse(date));
}

const embedderNames: Readonly<Record<string, string>> = {
  builtin: "built-in vectors",
  none: "by words only",
};

/** "1,204 paragraphs and messages from 3 files and 12 conversations · built-in vectors · 3.2 MB" */
export function statusWords(status: MemoryStatus): string {
  const { units, files, conversations, embedder, bytes, withoutVector } = status;
  const what = count(units, "paragraph or message", "paragraphs and messages");
  const from = `${count(files, "file")} and ${count(conversations, "conversation")}`;
  return [
    `${what} from ${from}`,
    embedderNames[embedder] ?? embedder,
    formatBytes(bytes),
    ...(withoutVector > 0 ? [`${count(withoutVector, "text")} still without a vector`] : []),
  ].join(" · ");
}
