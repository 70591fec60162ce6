import { z } from "zod";
import { defineMethods, Empty } from "./define-methods.ts";

/** The model that turns a message which is exactly one call into that call; only tools.try configures it. */
export const directModel = "direct/call";

/** usual: the guard's mode decides. ask: always asks. deny: never runs. allow: runs unless another rule objects. */
export const ToolPolicy = z.enum(["usual", "allow", "ask", "deny"]);
export type ToolPolicy = z.infer<typeof ToolPolicy>;

export const ToolSummary = z.object({
  name: z.string(),
  description: z.string(),
  effects: z.array(z.enum(["reads", "changes", "destroys", "sends", "costs", "plans"])),
  class: z.enum(["read", "idempotent", "unsafe"]),
  /** Whether a person can take back what it did, in words. */
  undo: z.string(),
  policy: ToolPolicy,
  /** JSON Schema of its arguments. */
  schema: z.record(z.string(), z.unknown()),
});
export type ToolSummary = z.infer<typeof ToolSummary>;

export const toolMethods = defineMethods({
  "tools.list": {
    scopes: ["read"],
    params: Empty,
    result: z.object({ tools: z.array(ToolSummary), commands: z.string() }),
  },
  /** Calls the tool as if a model had: through the guard and into the log of a conversation of its own. */
  "tools.try": {
    scopes: [],
    params: z.strictObject({
      tool: z.string().max(100),
      arguments: z.record(z.string(), z.unknown()),
      idempotencyKey: z.string().min(1).max(200).optional(),
    }),
    result: z.object({ sessionKey: z.string(), runId: z.string(), seq: z.number() }),
  },
});
