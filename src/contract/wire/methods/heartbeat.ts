// What the owner may ask of the heartbeat.
import { z } from "zod";
import { defineMethods, Empty } from "./define-methods.ts";
import { TaskRun } from "./tasks.ts";

/** `run`: the look that was begun, if one was; words: what comes of it. */
const Begun = z.object({ run: z.string().optional(), words: z.string() });

export const heartbeatMethods = defineMethods({
  "heartbeat.get": {
    scopes: [],
    params: Empty,
    result: z.object({
      enabled: z.boolean(),
      /** How it stands, in one line. */
      words: z.string(),
      nextAtMs: z.number().optional(),
      /** What waits to be told in the next beat. */
      notes: z.number(),
      /** The conversation in which it thinks. */
      sessionKey: z.string(),
      lastRun: TaskRun.optional(),
    }),
  },
  /** Looks at once, whatever the hour. */
  "heartbeat.beat": { scopes: [], params: Empty, result: Begun },
  /** Something that the next beat should know; now: which comes at once, whatever the hour. */
  "heartbeat.tell": {
    scopes: [],
    params: z.strictObject({
      text: z.string().trim().min(1).max(8_000),
      kind: z.enum(["command", "task", "note"]).default("note"),
      now: z.boolean().default(false),
    }),
    result: Begun,
  },
});
