import { onTestFinished } from "vitest";
import type { NewEvent } from "../../src/contract/event.ts";
import { openStore, type Store, type StoreDeps } from "../../src/store/open-store.ts";

export const conversation = "terminal--default";

/** A real store in the folder; trouble fails the test unless it is asked for. */
export async function storeIn(home: string, deps: Partial<StoreDeps> = {}): Promise<Store> {
  const store = await openStore({
    home,
    nowMs: () => Date.now(),
    redact: (text) => text,
    onTrouble: (message, cause) => {
      throw new Error(message, { cause });
    },
    ...deps,
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= store.close();
    return closing;
  };
  onTestFinished(close);
  return { ...store, close };
}

export function messageReceived(text: string, overrides: { conversation?: string; messageId?: string } = {}): NewEvent {
  return {
    type: "message.received",
    conversation: overrides.conversation ?? conversation,
    messageId: overrides.messageId ?? `m-${text}`,
    channel: "terminal",
    sender: { kind: "owner", id: "owner" },
    text,
    attachments: [],
  };
}
