import { z } from "zod";
import { defineMethods, Empty, Ok } from "./define-methods.ts";

export const Hook = z.object({
  id: z.string(),
  name: z.string(),
  /** What the assistant is told to do with what comes in. */
  prompt: z.string(),
  sessionKey: z.string(),
  createdAtMs: z.number(),
});
export type Hook = z.infer<typeof Hook>;

export const hookMethods = defineMethods({
  "hooks.list": { scopes: [], params: Empty, result: z.object({ hooks: z.array(Hook) }) },
  /** The path and the secret are in this answer and nowhere else, ever. */
  "hooks.create": {
    scopes: [],
    params: z.strictObject({
      name: z.string().min(1).max(80),
      prompt: z.string().max(4000).default(""),
      /** True: only requests signed by the Standard Webhooks rules are taken. */
      signed: z.boolean().default(true),
    }),
    result: z.object({ hook: Hook, path: z.string(), secret: z.string().optional() }),
  },
  "hooks.remove": { scopes: [], params: z.strictObject({ id: z.string().max(100) }), result: Ok },
});
