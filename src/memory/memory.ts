// What the memory is to everybody who uses it: tools, methods, commands, and the turn that recalls by itself.
import type { MemoryFind, MemoryPlace } from "../contract/memory/memory-place.ts";
import type { Sender } from "../contract/sender.ts";
import type { MemoryStatus, Mention } from "../contract/wire/methods/memory.ts";

/** The owner's own memory, or that of a group, which sees nothing else. */
export type Whose = { group?: string | undefined };

export type Found = {
  /** Best first. */
  finds: readonly MemoryFind[];
  ms: number;
  /** Why it may not have seen everything, in a sentence for a person. */
  note?: string;
};

export type SearchOptions = {
  limit?: number | undefined;
  /** All finds together; they are then single paragraphs and messages instead of passages of up to 400 tokens. */
  maxTokens?: number | undefined;
  signal?: AbortSignal | undefined;
  /** So long what is new may be read first; as long as is usual if it is not said. */
  waitMs?: number | undefined;
};

export type Memory = {
  /** What was written or said before the call is looked through, too. */
  search(whose: Whose, query: string, options?: SearchOptions): Promise<Found>;
  /** What stands there now; undefined where it is gone, or is none of theirs. */
  read(
    whose: Whose,
    places: readonly MemoryPlace[],
    signal?: AbortSignal,
  ): Promise<readonly (MemoryFind | undefined)[]>;
  /** Loads nothing. */
  status(whose: Whose): Promise<MemoryStatus>;
  /** Throws the index away and makes it again. */
  reindex(whose: Whose): Promise<MemoryStatus>;
  /** Loads an index that was made before, so that the first search need not wait for it. */
  warm(whose: Whose): Promise<void>;
  /** Words were taken out of notes or conversations: no index holds any of them when it resolves. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
};

/** Taking everything about something out of the notes and the log, for good. */
export type Forgetting = {
  /** Every line and every message that speaks of it. */
  mentions(
    whose: Whose,
    about: string,
  ): Promise<{
    mentions: readonly Mention[];
    more: boolean;
    /** The earlier texts of notes, kept for an undo, that speak of it; with `about` they go, too. */
    earlierVersions: readonly string[];
  }>;
  /** A line that says something else by now stays, and so does what is not theirs; `stayed` says of each why, in a sentence. */
  forget(whose: Whose, what: ToForget, by: Sender): Promise<Forgotten>;
};

export type ToForget = {
  /** The turn in which it is asked for: what of it speaks of it goes when the turn is over, but for the answer. */
  asking?: { conversation: string; turn: string } | undefined;
  /** What it is about: of what was answered to a message, only what speaks of it goes along. Without it all of that goes. */
  about?: string | undefined;
  /** False: earlier texts of notes that speak of it stay, but for those that hold one of the lines. */
  earlierVersions?: boolean | undefined;
  lines: readonly { path: string; line: number; text: string }[];
  /** Or what was looked up or done in a turn, by the number of one of its events: all of it that speaks of it. */
  messages: readonly { sessionKey: string; seq: number }[];
};
export type Forgotten = { lines: number; messages: number; earlierVersions: number; stayed: readonly string[] };
