// Chats in which the bot sits and says nothing: where and what they are called, so that the owner can choose them; no word of what is said.
import { z } from "zod";
import { Address } from "../../contract/channel/address.ts";
import type { ChannelName } from "../../contract/channel/channel.ts";
import type { ChannelLedger } from "../../contract/channel/channel-ledger.ts";
import { loadOnce } from "../../contract/room/load-once.ts";
import type { SeenChat } from "../../contract/wire/methods/channels.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";

export type Sightings = {
  add(channel: ChannelName, seen: { address: Address; title: string }): void;
  list(): Promise<readonly SeenChat[]>;
};

const Kept = z.array(
  z.object({
    channel: z.enum(["telegram", "slack", "discord", "email", "ntfy"]),
    ...{ address: Address, title: z.string(), lastSeenMs: z.number() },
  }),
);
const mostKept = 50;
const noteName = "seen chats";

export function openSightings(deps: {
  ledger: Pick<ChannelLedger, "remember" | "remembered">;
  nowMs(): number;
  trouble(message: string, cause: unknown): void;
  /** A chat is seen for the first time. */
  onNew(seen: SeenChat): Promise<void>;
}): Sightings {
  let working: Promise<void> = Promise.resolve();
  const known = loadOnce(load);
  return {
    add(channel, { address: { chat }, title }) {
      working = working
        .then(async () => {
          const seen = await known();
          const key = `${channel} ${chat}`;
          const before = seen.get(key);
          const now = { channel, address: { chat }, title: visibleLine(title, 120), lastSeenMs: deps.nowMs() };
          seen.delete(key);
          seen.set(key, now);
          const [oldest] = seen.keys();
          if (seen.size > mostKept && oldest !== undefined) seen.delete(oldest);
          // a busy chat is not written down with every word in it
          if (before && before.title === title) return;
          await deps.ledger.remember("groups", noteName, JSON.stringify([...seen.values()]));
          if (!before) await deps.onNew(now);
        })
        .catch((cause) => deps.trouble("It could not be noted that the bot sits in a chat.", cause));
    },
    async list() {
      await working;
      return [...(await known()).values()].toReversed();
    },
  };

  async function load(): Promise<Map<string, SeenChat>> {
    const text = await deps.ledger.remembered("groups", noteName);
    const kept = text === undefined ? [] : Kept.parse(JSON.parse(text));
    return new Map(kept.map((seen) => [`${seen.channel} ${seen.address.chat}`, seen]));
  }
}
