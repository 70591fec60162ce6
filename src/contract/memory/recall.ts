// What is laid beside a message from the memory, without being asked for.
import type { MemoryFind, MemoryPlace } from "./memory-place.ts";

export type RecallWish = {
  conversation: string;
  group: string | undefined;
  question: string;
  /** From this number on the model sees the conversation itself. */
  seenFromSeq: number;
};

export type Recall = {
  /** Best first; none of it are words of strangers. */
  find(wish: RecallWish): Promise<readonly MemoryFind[]>;
  /** Somebody is here: what was made before is loaded, so that the first message need not wait for it. */
  prepare(): Promise<void>;
  /** What stands there by now; undefined where it is gone. */
  read(group: string | undefined, places: readonly MemoryPlace[]): Promise<readonly (MemoryFind | undefined)[]>;
};
