import type { TabStorage } from "../outbox/stored-outbox.ts";

/** What was being written, kept in this tab for each conversation. */
export function readDraft(storage: TabStorage, sessionKey: string): string {
  return storage.getItem(`steward.draft.${sessionKey}`) ?? "";
}

export function storeDraft(storage: TabStorage, sessionKey: string, text: string): void {
  const place = `steward.draft.${sessionKey}`;
  if (text === "") storage.removeItem(place);
  else storage.setItem(place, text);
}
