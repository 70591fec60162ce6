import { z } from "zod";
import type { NewAttachment } from "./attachment.ts";
import type { Group } from "./channel/group.ts";
import type { FileChange } from "./file-change.ts";
import type { ToolDeclaration } from "./model.ts";
import type { Sender } from "./sender.ts";

/** plans: Steward does something later, which is then judged like anything else and has no more rights than whoever planned it. */
export type ToolEffect = "reads" | "changes" | "destroys" | "sends" | "costs" | "plans";

/** read: may run again. idempotent: running it twice is running it once. unsafe: claimed on disk before it acts. */
export type ToolClass = "read" | "idempotent" | "unsafe";

export type PathUse = { path: string; access: "read" | "write" };

/** What a call lets others know: the address it asks for, words that leave as they are, or which of so many things it did. */
export type Told = { kind: "address"; url: string } | { kind: "words"; text: string } | { kind: "choice"; of: number };

/** Folders that the owner has opened beside the workspace; real paths. What may be written may be read. */
export type ExtraDirs = { readDirs: readonly string[]; writeDirs: readonly string[] };

/** Where tools find files: in the folder the agent works in, to which paths are relative, and by absolute paths in the others. */
export type Reach = { workspace: string } & Partial<ExtraDirs>;

/** For whom a question is asked, and from where: they see it too. */
export type Asked = Reach & Partial<Pick<ToolContext, "asker" | "conversation" | "group" | "turn" | "callId">>;

export type ToolContext = Reach & {
  conversation: string;
  turn: string;
  callId: string;
  /** For whom it is done: the least trusted one of those whose words the turn answers. */
  asker: Sender;
  /** The group in which it is done; it may learn and touch nothing beyond it. */
  group?: Group | undefined;
  signal: AbortSignal;
  progress(text: string): void;
};

export type ToolResult = {
  outcome: "done" | "failed";
  /** The answer in words, for the model and the person. */
  output: string;
  /** The answer as a value of the tool's result schema, for programs; left out when the words are the value. */
  value?: unknown;
  attachments?: readonly NewAttachment[];
  /** Where text in the output comes from that nobody should obey: `web`, `mail`, `mcp` and so on. */
  labels?: readonly string[];
  /** The output holds checked values and none of the words that were read, so nothing clings to it. */
  quarantined?: boolean;
  /** Addresses that stood on the pages it read; none that was put together here. */
  links?: readonly string[];
  /** Files of the workspace that this call wrote; `replaced`: nothing of what was there before is left. */
  wrote?: readonly { path: string; replaced: boolean }[];
  /** Further files whose words are in the output. */
  read?: readonly string[];
  /** Files and folders of which nothing but their names is in the output: whoever chose a name has said something by it. */
  named?: readonly string[];
  /** What it did to files, with what was there before kept. */
  changes?: readonly FileChange[];
};

/** What a later process found out about a call that was cut off. */
export type Recovery =
  | { kind: "not started" }
  | { kind: "finished"; result: ToolResult }
  /** `soFar`: what it had answered by then, and how far it came. */
  | { kind: "unknown"; soFar?: ToolResult };

/** Whether a person can take back what a call did. */
export type Undo = { kind: "nothing to undo" } | { kind: "checkpointed" } | { kind: "impossible"; reason: string };

export type ToolDefinition<Arguments extends z.ZodObject> = {
  name: string;
  /** For the model: what it does and when to use it, in a sentence or two. */
  description: string;
  arguments: Arguments;
  /** What a done call answers with; checked before anybody sees it. */
  result: z.ZodType;
  effects: readonly ToolEffect[];
  class: ToolClass;
  undo: Undo;
  /** A person says yes to each call of it, whatever mode and settings allow. */
  asksAlways?: boolean;
  /** The files a call touches, so that the guard can judge them before anything is opened. */
  paths?(args: z.infer<Arguments>): readonly PathUse[];
  /** The command line a call hands to a shell, for the shell rules. */
  command?(args: z.infer<Arguments>): string;
  /** The folder of the workspace in which that command runs, if not the workspace itself. */
  folder?(args: z.infer<Arguments>): string;
  /** Recipients to which a call sends something. */
  destinations?(args: z.infer<Arguments>): readonly string[];
  /** For tools that plan: all that will come of it is that these words are said to the owner; undefined if there is more to it. */
  saysLater?(args: z.infer<Arguments>): readonly string[] | undefined;
  /** For tools that only look: what somebody outside can tell from the call. */
  tells?(args: z.infer<Arguments>): readonly Told[];
  /** The whole of what a person approves, cut nowhere; what cannot be seen in it is spelled out before it is shown. */
  formatApproval(args: z.infer<Arguments>): string;
  /** The same with what is there now, masked, beside what would be there, whole; nothing is changed for it. */
  preview?(asked: Asked, args: z.infer<Arguments>): Promise<string | undefined>;
  /** Why nobody need be asked: nothing would come of it. Told to the model in place of a question; none of the words are a stranger's. */
  idleBecause?(asked: Asked, args: z.infer<Arguments>): Promise<string | undefined>;
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
  command: string | undefined;
  folder: string;
  destinations: readonly string[];
  saysLater: readonly string[] | undefined;
  tells: readonly Told[];
  approvalText: string;
  preview(asked: Asked): Promise<string | undefined>;
  idleBecause(asked: Asked): Promise<string | undefined>;
  claim(context: ToolContext): Promise<unknown>;
  recover(context: ToolContext, claim: unknown): Promise<Recovery>;
  run(context: ToolContext): Promise<ToolResult>;
};

export type Tool = Pick<ToolDefinition<z.ZodObject>, "name" | "effects" | "class" | "undo" | "asksAlways"> & {
  declaration: ToolDeclaration;
  /** JSON Schema of the arguments with every limit, for forms; a model is told a shorter one. */
  argumentsSchema(): Record<string, unknown>;
  bind(rawArguments: unknown): ParsedArguments;
};

export function defineTool<Arguments extends z.ZodObject>(definition: ToolDefinition<Arguments>): Tool {
  const { name, description, effects, class: itsClass, undo, asksAlways } = definition;
  return {
    ...{ name, effects, class: itsClass, undo },
    ...(asksAlways && { asksAlways }),
    declaration: { name, description, inputSchema: schemaForModel(definition.arguments) },
    argumentsSchema: () => ({ ...z.toJSONSchema(definition.arguments, { io: "input" }) }),
    bind(raw) {
      const parsed = definition.arguments.safeParse(raw);
      if (!parsed.success) return { ok: false, message: z.prettifyError(parsed.error) };
      const args = parsed.data;
      return {
        ok: true,
        call: {
          arguments: args,
          paths: definition.paths?.(args) ?? [],
          command: definition.command?.(args),
          folder: definition.folder?.(args) ?? ".",
          destinations: definition.destinations?.(args) ?? [],
          saysLater: definition.saysLater?.(args),
          tells: definition.tells?.(args) ?? [],
          approvalText: definition.formatApproval(args),
          preview: async (asked) => definition.preview?.(asked, args),
          idleBecause: async (asked) => definition.idleBecause?.(asked, args),
          claim: async (context) => definition.claim?.(context, args),
          recover: async (context, claim) => definition.recover?.(context, args, claim) ?? { kind: "unknown" },
          run: async (context) => checkResult(definition.result, await definition.run(context, args)),
        },
      };
    },
  };
}

/** For tools whose answer is text and nothing else. */
export const textResult = z.string();

// a tool that breaks its own promise must not pass its answer on as if it had kept it
function checkResult(schema: z.ZodType, result: ToolResult): ToolResult {
  if (result.outcome !== "done") return result;
  const value = schema.safeParse(result.value ?? result.output);
  if (value.success) return result;
  const output = `The tool answered in a wrong shape: ${z.prettifyError(value.error)}`;
  return { ...result, outcome: "failed", output };
}

// limits and closed shapes are checked when a call comes in; telling the model of them would cost tokens in every request
const untold = "additionalProperties propertyNames minLength maxLength minItems maxItems minimum maximum".split(" ");

function schemaForModel(schema: z.ZodObject): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      for (const word of untold) Reflect.deleteProperty(jsonSchema, word);
    },
  });
  return rest;
}
