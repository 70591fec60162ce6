// What a server says: a list of vectors, or why there is none.
import { z } from "zod";
import { visibleLine } from "../../../contract/words/visible-line.ts";
import { toUnitLength } from "../unit-length.ts";

const mostDimensions = 16_384;

// looked at number by number, since a schema for each of some hundred thousand numbers takes its time
const Vector = z.custom<readonly number[]>(
  (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= mostDimensions &&
    value.every((entry) => typeof entry === "number" && Number.isFinite(Math.fround(entry))),
);
const Answer = z.object({
  data: z.array(z.object({ embedding: Vector, index: z.number().int().min(0).optional() })),
});
const Complaint = z.object({
  error: z.union([
    z.string(),
    z.object({ message: z.string(), code: z.union([z.string(), z.number()]).nullish(), type: z.string().nullish() }),
  ]),
});

/** Vectors of length one in the order of the texts, or what is wrong with the answer. */
export function readVectors(body: unknown, count: number): readonly Float32Array[] | string {
  const answer = Answer.safeParse(body);
  if (!answer.success) return "something that is not a list of vectors";
  const { data } = answer.data;
  if (data.length !== count) return `${data.length} vectors for ${count} texts`;
  const byIndex = new Map(data.map(({ embedding, index }, at) => [index ?? at, embedding]));
  const ordered = Array.from({ length: count }, (_, at) => byIndex.get(at));
  if (ordered.some((embedding) => embedding === undefined)) return "vectors that do not say which text is whose";
  if (new Set(ordered.map((embedding) => embedding?.length)).size > 1) return "vectors of different lengths";
  return ordered.map((embedding = []) => toUnitLength(Float32Array.from(embedding)));
}

export type Complaint = { words: string; code: string };

/** The server's own words, in one line, without the secrets that it may repeat. */
export function readComplaint(body: unknown, secrets: readonly string[]): Complaint {
  const error = Complaint.safeParse(body).data?.error;
  const said = typeof error === "string" ? error : (error?.message ?? "");
  const code = typeof error === "string" ? "" : String(error?.code ?? error?.type ?? "");
  const words = secrets.reduce((rest, secret) => rest.replaceAll(secret, "[key]"), said);
  return { words: visibleLine(words, 200), code };
}
