// What is said between the program and the thread that keeps the indexes.
import type { MemoryFind, MemoryPlace } from "../../contract/memory/memory-place.ts";
import type { MemorySettings } from "../../contract/memory/memory-settings.ts";
import type { MemoryStatus } from "../../contract/wire/methods/memory.ts";
import type { NextConversations, NextWish } from "../sources/conversations.ts";
import type { FilesPlace } from "../sources/files-place.ts";

export type ThreadData = {
  /** Where the index files lie. */
  indexFolder: string;
  settings: MemorySettings;
  environment: Readonly<Record<string, string | undefined>>;
  storedKeys: Readonly<Record<string, string>>;
};

/** One memory: the owner's, or a group's. */
export type KeptPlace = {
  /** The name of its index file; of a group, one that no other chat of that name has had. */
  key: string;
  group: string | undefined;
  files: FilesPlace;
  /** Whether what was said in conversations belongs to it. */
  conversations: boolean;
};

export type KeptStatus = Omit<MemoryStatus, "enabled">;

/** `waitMs`: so long what is new may be read before it is looked for; as long as is usual if it is not said. */
export type SearchWish = {
  query: string;
  most: number;
  maxTokens?: number | undefined;
  waitMs?: number | undefined;
};

/** What can be asked of the thread, and what it answers. */
export type ThreadMethods = {
  search: { parameter: SearchWish; answer: { finds: readonly MemoryFind[]; note?: string } };
  read: { parameter: readonly MemoryPlace[]; answer: readonly (MemoryFind | undefined)[] };
  status: { parameter: undefined; answer: KeptStatus };
  reindex: { parameter: undefined; answer: KeptStatus };
  /** So that the first search need not wait for it. */
  warm: { parameter: undefined; answer: null };
  /** Reads all that is new, and leaves no byte of what went. */
  catchUp: { parameter: undefined; answer: null };
};

export type MethodName = keyof ThreadMethods;

export type ToThread =
  | { kind: "call"; id: number; method: MethodName; place: KeptPlace; parameter: never }
  | { kind: "conversations"; id: number; next: NextConversations | undefined }
  | { kind: "conversations failed"; id: number; reason: string }
  /** Something new was said. */
  | { kind: "news" }
  | { kind: "close" };

export type FromThread =
  | { kind: "answer"; id: number; value: unknown }
  | { kind: "failed"; id: number; reason: string }
  | { kind: "next conversations"; id: number; wish: NextWish }
  /** Of no use to whoever called; for the log. */
  | { kind: "trouble"; message: string };
