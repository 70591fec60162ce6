import type { AskedFor } from "./ask-model.ts";

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
