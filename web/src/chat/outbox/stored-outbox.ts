// Messages on their way, kept in this tab so that a reload neither loses nor doubles them.
import type { Upload } from "./upload.ts";

export type TabStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** A message the gateway has not acknowledged yet. Its key makes sending it twice the same as sending it once. */
export type UnsentMessage = {
  key: string;
  text: string;
  uploads: readonly Upload[];
  replaces: number | undefined;
  /** The last event of the conversation when it was written; the event it becomes comes later. */
  afterSeq: number;
  /** How many files were too large to be kept over a reload. */
  lostUploads: number;
};

export function storeUnsent(storage: TabStorage, sessionKey: string, messages: readonly UnsentMessage[]): void {
  const place = placeOf(sessionKey);
  if (messages.length === 0) {
    storage.removeItem(place);
    return;
  }
  try {
    storage.setItem(place, JSON.stringify(messages));
  } catch {
    // the files do not fit into what a tab may keep; the words do
    const words = messages.map((message) => ({ ...message, uploads: [], lostUploads: message.uploads.length }));
    storage.setItem(place, JSON.stringify(words));
  }
}

export function readUnsent(storage: TabStorage, sessionKey: string): readonly UnsentMessage[] {
  const stored = storage.getItem(placeOf(sessionKey));
  if (stored === null) return [];
  try {
    const list: unknown = JSON.parse(stored);
    return Array.isArray(list) ? list.filter(isUnsent) : [];
  } catch {
    // written by something else; there is nothing in it to send
    return [];
  }
}

function placeOf(sessionKey: string): string {
  return `steward.outbox.${sessionKey}`;
}

function isUnsent(value: unknown): value is UnsentMessage {
  if (typeof value !== "object" || value === null) return false;
  const { key, text, uploads, lostUploads, afterSeq } = value as Partial<UnsentMessage>;
  if (typeof lostUploads !== "number" || typeof afterSeq !== "number") return false;
  return typeof key === "string" && typeof text === "string" && Array.isArray(uploads);
}
