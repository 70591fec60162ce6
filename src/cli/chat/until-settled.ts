import { isMessageWaiting, isSettled } from "./chat-state.ts";
import type { Chat } from "./open-chat.ts";

/** Waits until nothing is on its way or being worked on; rejects when the connection is gone for good. */
export async function untilSettled(chat: Chat, graceMs = 500): Promise<void> {
  for (;;) {
    await until(chat, () => isSettled(chat.state()));
    // a message sent while the turn waits for a person may be taken up in a moment, or may stay in the queue
    if (isMessageWaiting(chat.state())) {
      if (!(await changesWithin(chat, graceMs))) return;
    } else if (isSettled(chat.state())) return;
  }
}

export async function until(chat: Chat, holds: () => boolean): Promise<void> {
  const held = Promise.withResolvers<void>();
  const look = (): void => {
    if (holds()) held.resolve();
  };
  const stopWatching = chat.watch(look);
  look();
  try {
    await Promise.race([held.promise, failWhenGone(chat)]);
  } finally {
    stopWatching();
  }
}

/** Rejects when the connection is gone for good. */
export async function failWhenGone(chat: Chat): Promise<never> {
  throw await chat.gone;
}

function changesWithin(chat: Chat, ms: number): Promise<boolean> {
  const changes = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => changes.resolve(false), ms);
  const stopWatching = chat.watch(() => changes.resolve(true));
  return changes.promise.finally(() => {
    clearTimeout(timer);
    stopWatching();
  });
}
