import type { AttachmentStore } from "../contract/attachment.ts";
import type { Channel, ChannelDefinition } from "../contract/channel/channel.ts";
import type { ChannelLedger } from "../contract/channel/channel-ledger.ts";
import type { CheckFolder } from "../contract/channel/given-folder.ts";
import type { Event, NewEvent } from "../contract/event.ts";
import type { RoomBase } from "../contract/room/room-base.ts";
import type { Sender } from "../contract/sender.ts";
import type { Reach } from "../contract/tool.ts";
import type { GatewayClient } from "../contract/wire/client.ts";
import type { LiveSignal } from "../contract/wire/live-signal.ts";

/** What everything that deals with channels works with. */
export type ChannelsDeps = Pick<
  RoomBase,
  "home" | "settings" | "environment" | "world" | "timeZone" | "receive" | "redact" | "trouble" | "note"
> & {
  store: { log: ChannelsLog; attachments: AttachmentStore };
  live: { subscribe(listener: (signal: LiveSignal) => void): () => void };
  ledger: ChannelLedger;
  /** What the owner may do, in the name of whoever wrote as the owner. */
  client(sender?: Sender): Pick<GatewayClient, "call">;
  /** The folder in which the work of a conversation is done. */
  reachOf(conversation: string): Promise<Reach>;
  /** Whether a group may be given it. */
  checkFolder: CheckFolder;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};

type ChannelsLog = {
  append(
    events: readonly NewEvent[],
    options?: { durable?: boolean; idempotencyKey?: string },
  ): Promise<{ repeated: boolean }>;
  at(seqs: readonly number[]): Promise<readonly Event[]>;
  subscribe(listener: (events: readonly Event[]) => void): () => void;
};

/** One that is on, and what holds it. */
export type OpenChannel = { definition: ChannelDefinition; channel: Channel };

/** By name; those that are off or incomplete are not in it. */
export type OpenChannels = ReadonlyMap<string, OpenChannel>;

/** Steward itself, where no person has spoken. */
export const steward: Sender = { kind: "system", id: "channels" };
