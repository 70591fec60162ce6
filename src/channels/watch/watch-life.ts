// Looks at each channel now and then: one that is silent for too long gets a new connection, and one that stays silent is told of
// by another way.

import type { ChannelDefinition } from "../../contract/channel/channel.ts";
import { installationKey } from "../../contract/event.ts";
import type { ChannelsDeps, OpenChannel, OpenChannels } from "../channels-deps.ts";
import { findOwnersChat } from "../intake/people.ts";

export type WatchLife = {
  start(): void;
  /** That this channel could not even be opened; once a day at most, however often Steward starts. */
  tellUnopened(definition: ChannelDefinition, why: string): Promise<void>;
  isLost(channel: string): boolean;
  close(): Promise<void>;
};

const lookEveryMs = 15_000;
const silentAfterMs = 150_000;
const lostAfterMs = 5 * 60_000;
const dayMs = 86_400_000;

export type WatchTimes = { lookEveryMs: number; silentAfterMs: number; lostAfterMs: number };

export function openWatchLife(
  deps: ChannelsDeps,
  channels: OpenChannels,
  times: WatchTimes = { lookEveryMs, silentAfterMs, lostAfterMs },
): WatchLife {
  const since = new Map<string, number>();
  const lost = new Set<string>();
  const reconnectedAt = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  return {
    start() {
      const now = deps.world.nowMs();
      for (const name of channels.keys()) since.set(name, now);
      timer = setInterval(() => {
        working = working.then(lookAll);
      }, times.lookEveryMs);
      timer.unref();
    },
    async tellUnopened({ name, title }, why) {
      const day = Math.floor(deps.world.nowMs() / dayMs);
      await sayElsewhere(name, `${title} is not connected. ${why}`, { idempotencyKey: `unopened:${name}:${day}` });
    },
    isLost: (channel) => lost.has(channel),
    async close() {
      clearInterval(timer);
      await working;
    },
  };

  async function lookAll(): Promise<void> {
    for (const [name, open] of channels)
      await look(name, open).catch((cause) => deps.trouble(`The channel ${name} could not be looked at.`, cause));
  }

  async function look(name: string, open: OpenChannel): Promise<void> {
    const now = deps.world.nowMs();
    const { state, lastProofMs, detail } = open.channel.life();
    const proofMs = Math.max(lastProofMs ?? 0, 0);
    const isAlive = state === "connected" && now - proofMs <= times.silentAfterMs;
    if (isAlive) {
      since.set(name, now);
      reconnectedAt.delete(name);
      if (lost.delete(name)) await tell(name, open, "found", "It answers again.");
      return;
    }
    const goodUntil = since.get(name) ?? now;
    const reconnected = reconnectedAt.get(name) ?? goodUntil;
    if (state !== "refused" && now - reconnected > times.silentAfterMs) {
      reconnectedAt.set(name, now);
      deps.note("a silent channel is connected anew", { channel: name });
      await open.channel.reconnect();
    }
    const isLost = state === "refused" || now - goodUntil > times.lostAfterMs;
    if (!isLost || lost.has(name)) return;
    lost.add(name);
    await tell(name, open, "lost", detail);
  }

  /** By any way but the one that does not work; the page and the log say it in any case. */
  async function tell(
    name: string,
    { definition }: OpenChannel,
    what: "lost" | "found",
    detail: string,
  ): Promise<void> {
    const event =
      what === "lost" ? ({ type: "channel.lost", reason: detail } as const) : ({ type: "channel.found" } as const);
    await deps.store.log.append([{ ...event, conversation: installationKey, channel: name }]);
    const text =
      what === "lost"
        ? `${definition.title} has not answered for a while, so messages there may not reach me. I keep trying. ${detail}`
        : `${definition.title} answers again.`;
    if (what === "lost") deps.trouble(text, undefined);
    await sayElsewhere(name, text);
  }

  async function sayElsewhere(name: string, text: string, once: { idempotencyKey?: string } = {}): Promise<void> {
    const other = await otherPlace(name);
    if (!other) return;
    await deps.store.log.append([{ type: "reply.written", ...other, text: deps.redact(text), attachments: [] }], once);
  }

  async function otherPlace(name: string): Promise<{ conversation: string; channel: string } | undefined> {
    for (const [other, { definition }] of channels) {
      if (other === name || lost.has(other)) continue;
      const chat = definition.capabilities.receives
        ? await findOwnersChat(deps, definition.name)
        : (await deps.ledger.chats(other))[0];
      if (chat) return { conversation: chat.conversation, channel: other };
    }
    return undefined;
  }
}
