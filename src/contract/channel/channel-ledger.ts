// What is known of channels over a restart: where people talk, who may, which groups there are, what was sent. All of it is
// folded from the log; the store keeps it, and the channels read it through this.
import type { EventOf } from "../event.ts";
import type { OpenApproval } from "../wire/method.ts";
import type { Chat } from "./address.ts";
import type { Group } from "./group.ts";

/** Somebody who may talk there as the owner. */
export type AllowedPerson = { channel: string; id: string; name: string; pairedAtMs: number };

/** A question as it stands in a chat, with buttons that must go once it is answered. */
export type ShownQuestion = { approvalId: string; reply: number; conversation: string; channel: string; ref: string };

/** What streams while a turn goes on: replaced by the reply, or removed. */
export type ShownDraft = { conversation: string; turn: string; ref: string; atMs: number };

export type ChannelLedger = {
  chat(conversation: string): Promise<Chat | undefined>;
  /** Where somebody spoke last comes first. */
  chats(channel: string): Promise<readonly Chat[]>;
  people(channel?: string): Promise<readonly AllowedPerson[]>;
  groups(): Promise<readonly Group[]>;
  /** Those that were taken out: their folders are still there. */
  formerGroups(): Promise<readonly Group[]>;
  /** The group to which a conversation belongs: its chat, a thread of it, or a task that was made in it. */
  groupOf(conversation: string): Promise<Group | undefined>;
  /** Direct conversations in which the owner has spoken, the last one first: on this channel, or on any. */
  ownersChats(channel?: string): Promise<readonly Chat[]>;
  /** What stands open in this chat, with buttons. `isLast`: nothing was said there since. */
  questionsIn(conversation: string): Promise<readonly { approvalId: string; ref: string; isLast: boolean }[]>;
  /** A piece of the reply that asks this, of which nobody knows whether it has arrived. */
  questionInDoubt(conversation: string, approvalId: string): Promise<{ reply: number; piece: number } | undefined>;
  /** The turn under way. */
  turnIn(conversation: string): Promise<string | undefined>;
  /** Wherever something is under way or waits: the ids of the messages that no turn has taken. */
  openWork(): Promise<readonly { conversation: string; waiting: readonly string[] }[]>;
  openApprovals(): Promise<readonly OpenApproval[]>;
  /** Sent with buttons, and answered meanwhile. */
  answeredQuestions(): Promise<readonly (ShownQuestion & { answer: EventOf<"approval.answered"> | undefined })[]>;
  drafts(): Promise<readonly ShownDraft[]>;
  /** How many replies of each channel wait to be delivered. */
  undelivered(): Promise<Readonly<Record<string, number>>>;
  remembered(channel: string, name: string): Promise<string | undefined>;
  remember(channel: string, name: string, value: string): Promise<void>;
};
