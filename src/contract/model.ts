// The border between the turn and the language models: one request in, a stream of our own events out.
import { z } from "zod";

export const ThinkingLevel = z.enum(["off", "low", "medium", "high", "max"]);
export type ThinkingLevel = z.infer<typeof ThinkingLevel>;

export const ModelName = z
  .string()
  .regex(/^[a-z0-9-]+\/.+$/, "a model is named provider/model, such as anthropic/claude-sonnet-4-5");

export const ToolCall = z.object({
  callId: z.string(),
  tool: z.string(),
  // as the model wrote them; the tool's own schema reads them before anything runs
  arguments: z.unknown(),
  // set when the model's arguments were not JSON at all
  malformed: z.string().optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;

export const Usage = z.object({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  cacheReadTokens: z.number().int().nonnegative().default(0),
  cacheWriteTokens: z.number().int().nonnegative().default(0),
});
export type Usage = z.infer<typeof Usage>;
export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** What one request to a model has taken. */
export const ModelCall = z.object({
  model: z.string(),
  usage: Usage,
  costUsd: z.number().optional(),
  durationMs: z.number().optional(),
});
export type ModelCall = z.infer<typeof ModelCall>;

export type ImagePart = { type: "image"; mediaType: string; data: Uint8Array };
export type FilePart = { type: "file"; mediaType: string; name: string; data: Uint8Array };
export type TextPart = { type: "text"; text: string };

/** The history in our own words; each provider's shape is made from it for one request and thrown away. */
export type ModelMessage =
  // isOpen: said in the turn under way, and still to be answered
  | { role: "user"; content: readonly (TextPart | ImagePart | FilePart)[]; isOpen?: boolean }
  | {
      role: "assistant";
      text: string;
      reasoning?: string | undefined;
      toolCalls: readonly ToolCall[];
      // returned to the provider that made it and to no other
      providerState?: unknown;
      model: string;
    }
  | {
      role: "tool";
      callId: string;
      tool: string;
      failed: boolean;
      output: string;
      images: readonly ImagePart[];
    };

export type ToolDeclaration = { name: string; description: string; inputSchema: Record<string, unknown> };

export type ModelRequest = {
  /** `provider/model` names in the order in which they are tried. */
  models: readonly string[];
  /** The system text in pieces, most stable first; the provider's cache is asked to keep everything up to the last piece marked so. */
  system: readonly { text: string; stable: boolean }[];
  messages: readonly ModelMessage[];
  tools: readonly ToolDeclaration[];
  thinking: ThinkingLevel;
  maxOutputTokens: number;
  /** Nobody sits there who could ask again: what no model has answered is told as such, and no rule stands in. */
  isUnattended?: boolean;
  signal: AbortSignal;
};

export type Finish = "stop" | "tool_calls" | "length" | "refused";

/** Why a model has not answered. */
export const ModelTrouble = z.enum([
  ...(["credentials", "rate_limit", "overloaded", "network"] as const),
  ...(["bad_request", "context_too_long", "budget", "aborted", "no_model"] as const),
]);
export type ModelTrouble = z.infer<typeof ModelTrouble>;

/** One request to a model that came to nothing. */
export const FailedAttempt = z.object({
  model: z.string(),
  attempt: z.number().int().positive(),
  kind: ModelTrouble,
  /** Half a sentence for a status line, such as `anthropic is overloaded (529)`. */
  reason: z.string(),
  /** The sentence for the person, with what to do next. */
  message: z.string(),
});
export type FailedAttempt = z.infer<typeof FailedAttempt>;

export type Unavailable = {
  type: "unavailable";
  kind: ModelTrouble;
  /** One sentence for the person, with what to do next. */
  message: string;
  /** What an answer that was stopped in the middle has taken, as far as that can be told. */
  spent?: ModelCall;
};

export type ModelEvent =
  | { type: "text"; delta: string }
  | { type: "reasoning"; delta: string }
  | { type: "tool_call"; call: ToolCall }
  // text of this step shown so far must be thrown away: a new attempt begins
  | { type: "text_reset" }
  | ({ type: "failed" } & FailedAttempt)
  // follows a failure when there is something left to try: the same model once more, or the next one
  | { type: "retry"; attempt: number; delayMs: number; reason: string; model: string }
  | {
      type: "final";
      model: string;
      text: string;
      reasoning?: string | undefined;
      toolCalls: readonly ToolCall[];
      providerState?: unknown;
      finish: Finish;
      usage: Usage;
      costUsd?: number | undefined;
    }
  | Unavailable;

/** The places for models that need no entry under models.providers. */
export const builtInProviders = ["anthropic", "openai", "openrouter", "ollama", "lmstudio", "llamacpp"] as const;
export type BuiltInProvider = (typeof builtInProviders)[number];

export type ModelChoice = {
  /** `provider/model` */
  name: string;
  contextTokens: number;
  maxOutputTokens: number;
  /** US dollars for a million tokens read and written; undefined when nobody knows, zero when it runs here. */
  price?: { input: number; output: number } | undefined;
  /** Where it was found: a setting, a credential, a server on this machine, or built in. */
  source: string;
};

/** One streaming interface over all providers; a stream always ends with `final` or `unavailable` and never throws for a model's failure. */
export type ModelProvider = {
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
  /** The models to use for a wish like `anthropic/claude-…`, or for none: the chosen one first, then the fallbacks. */
  choose(wish: string | undefined): Promise<readonly ModelChoice[]>;
  list(): Promise<readonly ModelChoice[]>;
  /** Somebody is there: loads what the first answer will need, so that it does not wait for that. */
  prepare(): Promise<void>;
};
