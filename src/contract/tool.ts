import { z } from "zod";
import type { NewAttachment } from "./attachment.ts";
import type { ToolDeclaration } from "./model.ts";

export type ToolEffect = "reads" | "changes" | "destroys" | "sends" | "costs";

/** read: may run again. idempotent: running it twice is running it once. unsafe: claimed on disk before it acts. */
export type ToolClass = "read" | "idempotent" | "unsafe";

export type PathUse = { path: string; access: "read" | "write" };

export type ToolContext = {
  conversation: string;
  turn: string;
  callId: string;
  /** The folder the agent works in; paths are relative to it. */
  workspace: string;
  signal: AbortSignal;
  progress(text: string): void;
};

export type ToolResult = { outcome: "done" | "failed"; output: string; attachments?: readonly NewAttachment[] };

/** What a later process found out about a call that was cut off. */
export type Recovery = { kind: "not started" } | { kind: "finished"; result: ToolResult } | { kind: "unknown" };

export type ToolDefinition<Arguments extends z.ZodObject> = {
  name: string;
  /** For the model: what it does and when to use it, in a sentence or two. */
  description: string;
  arguments: Arguments;
  effects: readonly ToolEffect[];
  class: ToolClass;
  /** The files a call touches, so that the guard can judge them before anything is opened. */
  paths?(args: z.infer<Arguments>): readonly PathUse[];
  /** The whole of what a person approves. */
  formatApproval(args: z.infer<Arguments>): string;
  /** Written down before an unsafe call acts, so that `recover` can tell later what became of it. */
  claim?(context: ToolContext, args: z.infer<Arguments>): Promise<unknown>;
  recover?(context: ToolContext, args: z.infer<Arguments>, claim: unknown): Promise<Recovery>;
  run(context: ToolContext, args: z.infer<Arguments>): Promise<ToolResult>;
};

export type ParsedArguments = { ok: true; call: BoundCall } | { ok: false; message: string };

/** A call whose arguments have been read by the tool's own schema: nothing else can run. */
export type BoundCall = {
  arguments: unknown;
  paths: readonly PathUse[];
  approvalText: string;
  claim(context: ToolContext): Promise<unknown>;
  recover(context: ToolContext, claim: unknown): Promise<Recovery>;
  run(context: ToolContext): Promise<ToolResult>;
};

export type Tool = {
  name: string;
  declaration: ToolDeclaration;
  effects: readonly ToolEffect[];
  class: ToolClass;
  bind(rawArguments: unknown): ParsedArguments;
};

export function defineTool<Arguments extends z.ZodObject>(definition: ToolDefinition<Arguments>): Tool {
  return {
    name: definition.name,
    declaration: {
      name: definition.name,
      description: definition.description,
      inputSchema: schemaForModel(definition.arguments),
    },
    effects: definition.effects,
    class: definition.class,
    bind(raw) {
      const parsed = definition.arguments.safeParse(raw);
      if (!parsed.success) return { ok: false, message: z.prettifyError(parsed.error) };
      const args = parsed.data;
      return {
        ok: true,
        call: {
          arguments: args,
          paths: definition.paths?.(args) ?? [],
          approvalText: definition.formatApproval(args),
          claim: async (context) => definition.claim?.(context, args),
          recover: async (context, claim) => definition.recover?.(context, args, claim) ?? { kind: "unknown" },
          run: (context) => definition.run(context, args),
        },
      };
    },
  };
}

function schemaForModel(schema: z.ZodObject): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest;
}
