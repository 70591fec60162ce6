// A channel is a platform on which people already talk: it connects, hands on what comes in and sends what goes out. Who may
// talk, what is kept and what is asked is decided outside of it, so that all channels behave alike.

import type { RoomBase } from "../room/room-base.ts";
import type { Route } from "../room/route.ts";
import type { Settings } from "../settings.ts";
import type { Tool } from "../tool.ts";
import type { Address } from "./address.ts";
import type { IncomingUpdate } from "./incoming-update.ts";
import type { MailNews } from "./mail-news.ts";
import type { OutgoingMessage, RenderedPiece, Sent } from "./outgoing-message.ts";

export type ChannelDefinition = {
  /** A word: the first part of its conversations' keys, and its section in the settings. */
  name: ChannelName;
  /** As people call it. */
  title: string;
  capabilities: Capabilities;
  /** The environment variables without which it cannot connect; looked for in the environment, `.env` and auth.json. */
  secrets(settings: Settings): readonly string[];
  /** What else is missing in the settings, in a sentence that says what to do. */
  problem?(settings: Settings): string | undefined;
  /** Loads the library; called only when the channel is on and nothing is missing. */
  open(base: ChannelBase): Promise<Channel>;
};

export type ChannelName = keyof Settings["channels"] & ("telegram" | "slack" | "discord" | "email" | "ntfy");

export type Capabilities = {
  /** People can write there; false: it only tells and asks. */
  receives: boolean;
  /** A message can be changed after it was sent. */
  edits: boolean;
  buttons: boolean;
  files: boolean;
  groups: boolean;
  /** verified: the platform vouches for who has written. claimed: anybody can write any name. */
  identity: "verified" | "claimed";
  /**
   * What can be told of a message of which nobody knows whether it arrived. refused: the platform drops a second one with the same
   * key. found: it can be looked up, and what `find` cannot tell is sent again and marked. unknown: it is sent again and marked.
   */
  repeats: "refused" | "found" | "unknown";
  /** How often a message may be edited while it streams. */
  editEveryMs: number;
  /** The same in a chat with several people, where platforms allow less. */
  editInGroupsEveryMs?: number;
};

export type ChannelBase = Pick<
  RoomBase,
  "home" | "settings" | "environment" | "world" | "trouble" | "note" | "redact"
> & {
  /**
   * Whatever came in. Resolves when it is on disk or known to concern nobody, and only then may it be acknowledged. Rejects when it
   * could not be kept: then it must come again. Messages of one chat are handed on one after the other; a press waits for none of
   * them.
   */
  take(update: IncomingUpdate): Promise<void>;
  /** A mail has come, whoever wrote it: tasks may wait for one. On disk when it resolves. */
  news?(mail: MailNews): Promise<void>;
  /** A value of `secrets`. */
  secret(name: string): string;
  /** What the channel remembers over a restart, such as the last message it has seen. On disk when it resolves. */
  remember(name: string, value: string): Promise<void>;
  recall(name: string): Promise<string | undefined>;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** The conversations in which people have been answered there, newest first, to catch up on what was missed. */
  chats(): Promise<readonly { address: Address; isDirect: boolean }[]>;
};

export type Channel = {
  /** Begins to connect and goes on trying until it is closed; returns at once. */
  start(): void;
  close(): Promise<void>;
  /** Throws the connection away and makes a new one; the watchdog asks for it. */
  reconnect(): Promise<void>;
  life(): Life;
  /** The same text always gives the same pieces, each of which fits into one message. At least one. */
  render(markdown: string): readonly RenderedPiece[];
  /** Throws a SendFailure. */
  send(to: Address, message: OutgoingMessage, signal: AbortSignal): Promise<Sent>;
  edit?(to: Address, ref: string, message: Omit<OutgoingMessage, "file">, signal: AbortSignal): Promise<void>;
  remove?(to: Address, ref: string, signal: AbortSignal): Promise<void>;
  react?(to: Address, ref: string, emoji: string, signal: AbortSignal): Promise<void>;
  typing?(to: Address, signal: AbortSignal): Promise<void>;
  /** For `repeats: "found"`: the message that was sent with this key. Undefined: it has not arrived. unknown: it may have. */
  find?(to: Address, key: string, signal: AbortSignal): Promise<Sent | "unknown" | undefined>;
  /** Where the owner can be reached who has this id there, if the platform lets one begin. */
  directAddress?(personId: string, signal: AbortSignal): Promise<Address>;
  /** Addresses of the HTTP server, such as a webhook. */
  routes?(): Promise<readonly Route[]>;
  tools?(): Promise<readonly Tool[]>;
};

/**
 * refused: the platform does not let it in, and trying on helps only after a person has done something. lastProofMs: when the
 * platform last answered anything; that a connection is open proves nothing.
 */
export type Life = {
  state: "connecting" | "connected" | "refused" | "closed";
  lastProofMs: number | undefined;
  /**
   * For a person: as whom it is connected, or what is wrong and what to do. While connecting it begins with "Connecting to" as long
   * as nothing has gone wrong.
   */
  detail: string;
};
