import { z } from "zod";
import { ConversationKey } from "../../conversation-key.ts";
import { LoggedEvent } from "../../event.ts";
import { defineMethods, Empty } from "./define-methods.ts";

const SearchHit = z.object({
  sessionKey: z.string(),
  title: z.string(),
  seq: z.number(),
  atMs: z.number(),
  who: z.enum(["person", "assistant"]),
  /** Words around the hit, plain text. */
  snippet: z.string(),
});

export const activityMethods = defineMethods({
  /** Finds words in everything that was said, newest first. */
  "sessions.search": {
    scopes: ["read"],
    params: z.strictObject({ query: z.string().min(1).max(200), limit: z.number().int().min(1).max(100).default(30) }),
    result: z.object({ hits: z.array(SearchHit) }),
  },
  /** Events of every conversation, newest first. */
  "audit.list": {
    scopes: ["read"],
    params: z.strictObject({
      beforeSeq: z.number().int().positive().optional(),
      limit: z.number().int().min(1).max(500).default(100),
      types: z.array(z.string().max(60)).max(40).optional(),
      sessionKey: ConversationKey.optional(),
      text: z.string().min(1).max(200).optional(),
    }),
    result: z.object({
      events: z.array(LoggedEvent),
      more: z.boolean(),
      /** Where the next page begins; a rare word may need several, some of them empty. */
      nextBeforeSeq: z.number().optional(),
    }),
  },
  "audit.verify": {
    scopes: ["read"],
    params: Empty,
    result: z.object({ ok: z.boolean(), lines: z.number(), problems: z.array(z.string()) }),
  },
  "logs.tail": {
    scopes: [],
    params: z.strictObject({
      lines: z.number().int().min(1).max(2000).default(200),
      level: z.enum(["debug", "info", "warn", "error"]).default("info"),
    }),
    result: z.object({
      lines: z.array(z.object({ atMs: z.number(), level: z.string(), message: z.string(), detail: z.string() })),
    }),
  },
});
