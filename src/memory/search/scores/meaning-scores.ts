// How alike each unit is to the question in meaning (cosine of vectors): of all of them exactly, or, where there are very many, as their
// bits tell it, and exactly for those that are looked at.
import type { Index } from "../../index/open-index.ts";
import { at, none, type UnitTable } from "../../index/unit-table.ts";
import { centre, likeness } from "../../vectors/centred.ts";
import { lengthOf, readRow } from "../../vectors/row-bytes.ts";
import { inSpreads, type Standard, standardOf } from "./standard.ts";

export type MeaningScores = {
  /** By the number of the unit, in spreads; 0 where there is no vector. */
  of: Float32Array;
  isExact: boolean;
  /** Compares these with the question exactly. */
  lookAt(units: Iterable<number>): void;
  /** The vector of a unit around the centre, of length one. */
  vectorOf(unit: number): Float32Array | undefined;
  /** How alike units are to the question when they are taken for one text, the longer ones counting for more (cosine). */
  cosineOfAll(units: readonly number[]): number;
  /** How alike a unit is to such a vector. */
  likenessTo(vector: Float32Array, unit: number): number;
};

/** Undefined: there are no vectors to compare with. */
export function scoreMeaning(index: Index, question: Float32Array): MeaningScores | undefined {
  const { vectors, table, file } = index;
  if (!vectors || vectors.centre.mean.length !== question.length) return undefined;
  const { centre: around, memory } = vectors;
  const asked = new Float32Array(question.length);
  centre(around, question, 1, asked);
  const of = memory.likenesses(asked, table.size);
  const { standard, estimate } = standardsOf(of, table, memory.isExact, asked.length);
  for (let unit = 0; unit < of.length; unit++) {
    const value = of[unit] ?? 0;
    if (value !== 0) of[unit] = estimate(value);
  }
  return {
    of,
    isExact: memory.isExact,
    lookAt(units) {
      for (const unit of units) {
        const row = rowOf(unit);
        if (row) of[unit] = inSpreads(likeness(around, asked, row), standard);
      }
    },
    vectorOf,
    cosineOfAll(units) {
      const sum = new Float32Array(asked.length);
      for (const unit of units) addTo(sum, vectorOf(unit), at(table.characters, unit));
      return product(asked, sum) / (Math.sqrt(product(sum, sum)) || 1);
    },
    likenessTo,
  };

  function vectorOf(unit: number): Float32Array | undefined {
    const row = rowOf(unit);
    if (!row) return undefined;
    const vector = new Float32Array(asked.length);
    centre(around, row, lengthOf(row), vector);
    return vector;
  }

  function likenessTo(vector: Float32Array, unit: number): number {
    const known = memory.likenessOf?.(vector, unit);
    if (known !== undefined) return known;
    const row = rowOf(unit);
    return row ? likeness(around, vector, row) : 0;
  }

  function rowOf(unit: number): Int8Array | undefined {
    const row = readRow(file.lists("SELECT row FROM vectors WHERE id = ?", unit)[0]?.[0]);
    return row?.length === asked.length ? row : undefined;
  }
}

function addTo(sum: Float32Array, vector: Float32Array | undefined, weight: number): void {
  for (let place = 0; vector && place < sum.length; place++)
    sum[place] = (sum[place] ?? 0) + weight * (vector[place] ?? 0);
}

function product(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0);
}

/**
 * Bits that differ by chance spread estimates more than the true likenesses: that much of the spread is taken out again, and each
 * estimate is drawn to the mean by as much as it may be chance.
 */
function standardsOf(of: Float32Array, table: UnitTable, isExact: boolean, dimensions: number) {
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (let unit = 0; unit < of.length; unit++) {
    const value = of[unit] ?? 0;
    if (value === 0 || at(table.session, unit) === none) continue;
    sum += value;
    squares += value * value;
    count++;
  }
  const seen = standardOf(sum, squares, count);
  if (isExact) return { standard: seen, estimate: (value: number) => inSpreads(value, seen) };
  const chance = Math.PI ** 2 / 4 / dimensions;
  const variance = Math.max(seen.spread ** 2 * 0.25, seen.spread ** 2 - chance);
  const standard: Standard = { mean: seen.mean, spread: Math.sqrt(variance) };
  const trust = variance / seen.spread ** 2;
  return { standard, estimate: (value: number) => inSpreads(value, standard) * trust };
}
