// What of the memory is told in words: where something stands, when it was said, what the index holds.
import { embedderWords } from "../../../src/contract/memory/embedder-words.ts";
import type { MemoryFind, MemoryPlace } from "../../../src/contract/memory/memory-place.ts";
import type { Session } from "../../../src/contract/wire/method.ts";
import type { MemoryStatus } from "../../../src/contract/wire/methods/memory.ts";
import { count, formatBytes } from "../../../src/contract/words/amounts.ts";
import { isBackground, sessionName } from "../words.ts";
import { bestLines } from "./memory-view.ts";

/** "MEMORY.md, lines 3–5", those that fit best where they are known, or the name of a conversation. */
export function placeWords(place: MemoryPlace & Pick<MemoryFind, "best">, sessions: readonly Session[]): string {
  const { path, sessionKey } = place;
  const best = bestLines(place.best);
  const [startLine, endLine] = best ? [best.start, best.end] : [place.startLine, place.endLine];
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

/** "1,204 paragraphs and messages from 3 files and 12 conversations · built-in meaning search · 3.2 MB" */
export function statusWords(status: MemoryStatus): string {
  const { units, files, conversations, embedder, bytes, withoutVector } = status;
  const what = count(units, "paragraph or message", "paragraphs and messages");
  const from = `${count(files, "file")} and ${count(conversations, "conversation")}`;
  return [
    `${what} from ${from}`,
    embedderWords(embedder),
    formatBytes(bytes),
    ...(withoutVector > 0 ? [`${count(withoutVector, "text")} still without a vector`] : []),
  ].join(" · ");
}
