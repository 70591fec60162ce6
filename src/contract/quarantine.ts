import { z } from "zod";

/** A question whose answer cannot carry words: a number, a date, a yes or no, or one of the choices that were given. */
export const QuarantineField = z
  .object({
    name: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/)
      .describe("Key of the answer"),
    question: z.string().max(300).describe("What to find"),
    kind: z.enum(["number", "date", "boolean", "choice"]),
    choices: z.array(z.string().max(60)).max(30).optional().describe("For choice"),
  })
  .refine((field) => field.kind !== "choice" || (field.choices?.length ?? 0) > 0, "a choice needs choices");
export type QuarantineField = z.infer<typeof QuarantineField>;

export type QuarantineAnswer =
  | { ok: true; values: Record<string, number | string | boolean | null> }
  | { ok: false; reason: string };

/** Reads untrusted text without tools and returns only values that have been checked. */
export type ReadQuarantined = (
  text: string,
  fields: readonly QuarantineField[],
  signal: AbortSignal,
) => Promise<QuarantineAnswer>;
