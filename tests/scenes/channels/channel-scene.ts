// One channel on its own, opened as the program opens it, with the rest of the program replaced by a notebook.
import { onTestFinished } from "vitest";
import type { ChannelBase, ChannelDefinition } from "../../../src/contract/channel/channel.ts";
import type { IncomingUpdate } from "../../../src/contract/channel/incoming-update.ts";
import { sleep } from "../../../src/contract/room/sleep.ts";
import { Settings } from "../../../src/contract/settings.ts";
import { realWorld } from "../../../src/contract/world.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export type ChannelSceneOptions = {
  /** The channel's own section; `enabled` is set. */
  settings?: Record<string, unknown>;
  secrets?: Readonly<Record<string, string>>;
  /** What an earlier process remembered. */
  remembered?: Map<string, string>;
  /** Where people have talked before. */
  chats?: Awaited<ReturnType<ChannelBase["chats"]>>;
  /** What is done with whatever comes in, before it counts as taken; may throw. */
  onTake?(update: IncomingUpdate): Promise<void> | void;
};

export async function openChannelScene(definition: ChannelDefinition, options: ChannelSceneOptions = {}) {
  const taken: IncomingUpdate[] = [];
  const troubles: string[] = [];
  const remembered = options.remembered ?? new Map<string, string>();
  const settings = Settings.parse({ channels: { [definition.name]: { enabled: true, ...options.settings } } });
  const base: ChannelBase = {
    home: await temporaryFolder(),
    settings,
    environment: {},
    world: realWorld,
    trouble: (message, cause) => void troubles.push(`${message} ${cause instanceof Error ? cause.message : ""}`.trim()),
    note: () => undefined,
    redact: (text) => text,
    async take(update) {
      await options.onTake?.(update);
      taken.push(update);
    },
    secret(name) {
      const value = options.secrets?.[name];
      if (value === undefined) throw new Error(`the test gives no ${name}`);
      return value;
    },
    async remember(name, value) {
      remembered.set(name, value);
    },
    recall: async (name) => remembered.get(name),
    sleep,
    chats: async () => options.chats ?? [],
  };
  const channel = await definition.open(base);
  onTestFinished(() => channel.close());
  /** For sending: nobody stops it. */
  const { signal } = new AbortController();
  return { channel, taken, troubles, remembered, settings, base, signal };
}
