// Vectors of texts lie close together around their mean; what tells two of them apart is how they differ from it.
import { lengthOf, product } from "./row-bytes.ts";

export type Centre = {
  mean: Float32Array;
  /** From how many vectors it was made. */
  of: number;
};

export function meanOf(rows: Iterable<Int8Array>, dimensions: number): Centre {
  const mean = new Float32Array(dimensions);
  let of = 0;
  for (const row of rows) {
    const length = lengthOf(row);
    if (length === 0 || row.length !== dimensions) continue;
    for (let at = 0; at < dimensions; at++) mean[at] = (mean[at] ?? 0) + (row[at] ?? 0) / length;
    of++;
  }
  for (let at = 0; at < dimensions; at++) mean[at] = (mean[at] ?? 0) / Math.max(1, of);
  return { mean, of };
}

/** Into `out`, of length one; zeros where nothing is left of it. */
export function centre({ mean }: Centre, row: ArrayLike<number>, length: number, out: Float32Array): void {
  let squares = 0;
  for (let at = 0; at < out.length; at++) {
    const value = length === 0 ? 0 : (row[at] ?? 0) / length - (mean[at] ?? 0);
    out[at] = value;
    squares += value * value;
  }
  const factor = squares === 0 || length === 0 ? 0 : 1 / Math.sqrt(squares);
  for (let at = 0; at < out.length; at++) out[at] = (out[at] ?? 0) * factor;
}

/** How alike a kept row is to a centred query (cosine). */
export function likeness({ mean }: Centre, query: Float32Array, row: Int8Array): number {
  const length = lengthOf(row);
  if (length === 0) return 0;
  let squares = 0;
  let withMean = 0;
  for (let at = 0; at < mean.length; at++) {
    const value = mean[at] ?? 0;
    squares += value * value;
    withMean += value * (query[at] ?? 0);
  }
  const own = product(query, row, 0) / length - withMean;
  const rest = 1 - (2 * product(mean, row, 0)) / length + squares;
  return rest <= 0 ? 0 : own / Math.sqrt(rest);
}
