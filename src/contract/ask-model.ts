import type { ModelEvent, ModelRequest, Unavailable } from "./model.ts";
import type { ToolContext } from "./tool.ts";

/** The call of a tool on whose account a model is asked. */
export type AskedFor = Pick<ToolContext, "conversation" | "turn" | "callId" | "signal"> & { tool: string };

export type ModelQuestion = Pick<ModelRequest, "system" | "messages" | "tools" | "thinking">;

export type ModelAnswer =
  | { ok: true; answer: Extract<ModelEvent, { type: "final" }>; contextTokens: number }
  | { ok: false; kind: Unavailable["kind"]; reason: string };

/** Asks the model that is used by default; what it took is in the log, and within the budget, before the answer is. */
export type AskModel = (asked: AskedFor, question: ModelQuestion) => Promise<ModelAnswer>;
