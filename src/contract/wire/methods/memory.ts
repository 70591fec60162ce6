import { z } from "zod";
import { GroupName } from "../../channel/group.ts";
import { ConversationKey } from "../../conversation-key.ts";
import { MemoryFind, MemoryPlace } from "../../memory/memory-place.ts";
import { defineMethods } from "./define-methods.ts";

/** Whose memory: the owner's own, or that of a group. */
const whose = { group: GroupName.optional() };

export const MemoryStatus = z.object({
  enabled: z.boolean(),
  /** unused: nothing was looked for yet, so nothing is loaded. */
  state: z.enum(["unused", "reading", "ready"]),
  /** Paragraphs and messages in it. */
  units: z.number(),
  files: z.number(),
  conversations: z.number(),
  bytes: z.number(),
  /** What turns texts into vectors. */
  embedder: z.string(),
  /** Texts that have no vector of it yet. */
  withoutVector: z.number(),
  /** What is wrong at the moment, and what is done meanwhile. */
  trouble: z.string().optional(),
});
export type MemoryStatus = z.infer<typeof MemoryStatus>;

/** A line of a note or a message that speaks of something. */
export const Mention = z.object({
  /** Of a line. */
  path: z.string().optional(),
  line: z.number().int().positive().optional(),
  /** Of a message; or, where only what was looked up or done for one speaks of it, of one event of that. */
  sessionKey: z.string().optional(),
  seq: z.number().int().positive().optional(),
  who: z.enum(["person", "assistant"]).optional(),
  atMs: z.number().optional(),
  text: z.string(),
  /** Why it stays when the rest is forgotten, in a sentence. */
  stays: z.string().optional(),
});
export type Mention = z.infer<typeof Mention>;

export const Recall = z.object({
  seq: z.number(),
  atMs: z.number(),
  sessionKey: z.string(),
  turn: z.string(),
  /** The message beside which it was laid. */
  question: z.string(),
  /** Without a text: it is gone by now. */
  finds: z.array(MemoryPlace.extend({ text: z.string().optional() })),
  tokens: z.number(),
});
export type Recall = z.infer<typeof Recall>;

export const memoryMethods = defineMethods({
  "memory.search": {
    scopes: ["read"],
    params: z.strictObject({
      query: z.string().trim().min(1).max(2_000),
      ...whose,
      limit: z.number().int().min(1).max(50).optional(),
    }),
    result: z.object({
      finds: z.array(MemoryFind),
      ms: z.number(),
      /** Why it may not have seen everything. */
      note: z.string().optional(),
    }),
  },
  "memory.status": { scopes: ["read"], params: z.strictObject(whose), result: MemoryStatus },
  /** Throws the index away and makes it again; files and conversations are only read. */
  "memory.reindex": { scopes: [], params: z.strictObject(whose), result: MemoryStatus },
  /** What was laid beside messages, newest first. */
  "memory.recalled": {
    scopes: ["read"],
    params: z.strictObject({
      sessionKey: ConversationKey.optional(),
      beforeSeq: z.number().int().positive().optional(),
      limit: z.number().int().min(1).max(100).default(30),
    }),
    result: z.object({ recalls: z.array(Recall), more: z.boolean() }),
  },
  /** Every line and every message that speaks of it: what would go if it were forgotten. */
  "memory.mentions": {
    scopes: [],
    params: z.strictObject({ about: z.string().trim().min(2).max(200), ...whose }),
    /** `earlierVersions`: so many earlier texts of notes, kept for an undo, speak of it. */
    result: z.object({ mentions: z.array(Mention), more: z.boolean(), earlierVersions: z.number() }),
  },
});
