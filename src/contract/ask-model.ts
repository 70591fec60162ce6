// How a tool asks a model on its turn's account: as it likes, or so that nothing but checked values comes back.
import type { ModelEvent, ModelRequest, ModelTrouble } from "./model.ts";
import type { ToolContext } from "./tool.ts";

/** The call of a tool on whose account a model is asked. */
export type AskedFor = Pick<ToolContext, "conversation" | "turn" | "callId" | "signal"> & { tool: string };

export type ModelQuestion = Pick<ModelRequest, "system" | "messages" | "tools" | "thinking">;

export type ModelAnswer =
  | { ok: true; answer: Extract<ModelEvent, { type: "final" }>; contextTokens: number }
  | { ok: false; kind: ModelTrouble; reason: string };

/** Asks the model that is used by default; what it took is in the log, and within the budget, before the answer is. */
export type AskModel = (asked: AskedFor, question: ModelQuestion) => Promise<ModelAnswer>;

/** A question whose answer cannot carry words: a number, a date, a yes or no, or one of the choices that were given. */
export type QuarantineField = { name: string; question: string } & (
  | { kind: "number" | "date" | "boolean" }
  | { kind: "choice"; choices: readonly [string, ...string[]] }
);

export type QuarantineAnswer =
  | { ok: true; values: Record<string, number | string | boolean | null> }
  | { ok: false; reason: string };

/** Reads untrusted text without tools and returns only values that have been checked. */
export type ReadQuarantined = (
  text: string,
  fields: readonly QuarantineField[],
  asked: AskedFor,
) => Promise<QuarantineAnswer>;
