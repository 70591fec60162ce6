import type { Followed, GatewayClient } from "../../src/contract/wire/client.ts";
import { steadyMs } from "./figures.ts";

export type Said = { sentMs: number; endedMs: number };

/** One message in, and the moment at which a client sees that its turn is over. */
export type Talk = { say(conversation: string, text: string): Promise<Said>; close(): void };

export async function openTalk(client: GatewayClient): Promise<Talk> {
  const waiting = new Map<string, (ending: { atMs: number; word: string }) => void>();
  const { lastSeq } = await client.call("health.check", {});
  const unfollow = client.follow(lastSeq, (followed: Followed) => {
    if (followed.type !== "turn.finished") return;
    const atMs = steadyMs();
    waiting.get(followed.conversation)?.({ atMs, word: `${followed.ending} ${followed.detail ?? ""}` });
  });
  return {
    close: unfollow,
    async say(conversation, text) {
      const { promise, resolve } = Promise.withResolvers<{ atMs: number; word: string }>();
      waiting.set(conversation, resolve);
      const sentMs = steadyMs();
      const receipt = await client.call("chat.send", { sessionKey: conversation, message: text });
      if (!receipt.accepted) throw new Error(`A message was refused: ${receipt.reason}`);
      const { atMs, word } = await promise;
      if (word.trim() !== "answered") throw new Error(`A turn was not answered: ${word}`);
      return { sentMs, endedMs: atMs };
    },
  };
}
