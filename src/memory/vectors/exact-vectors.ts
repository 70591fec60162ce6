// Every vector in memory, a byte for each number: each search compares with all of them.
import { type Centre, centre } from "./centred.ts";
import { lengthOf, product, toRow } from "./row-bytes.ts";
import type { VectorsInMemory } from "./vectors-in-memory.ts";

export function openExactVectors(around: Centre): VectorsInMemory {
  const dimensions = around.mean.length;
  let rows = new Int8Array(0);
  let factors = new Float32Array(0);
  const whole = new Float32Array(dimensions);
  return {
    put(id, row) {
      if (id >= factors.length) grow(id + 1);
      centre(around, row, lengthOf(row), whole);
      const kept = toRow(whole);
      rows.set(kept, id * dimensions);
      const length = lengthOf(kept);
      factors[id] = length === 0 ? 0 : 1 / length;
    },
    remove(id) {
      const isThere = (factors[id] ?? 0) !== 0;
      if (isThere) factors[id] = 0;
      return isThere;
    },
    isExact: true,
    likenesses(query, size) {
      const found = new Float32Array(size);
      const most = Math.min(size, factors.length);
      for (let id = 0; id < most; id++) {
        const factor = factors[id] ?? 0;
        if (factor !== 0) found[id] = product(query, rows, id * dimensions) * factor;
      }
      return found;
    },
    likenessOf: (query, id) => product(query, rows, id * dimensions) * (factors[id] ?? 0),
  };

  function grow(least: number): void {
    const count = Math.max(least, 256, Math.ceil(factors.length * 1.5));
    const longer = new Int8Array(count * dimensions);
    longer.set(rows);
    rows = longer;
    const more = new Float32Array(count);
    more.set(factors);
    factors = more;
  }
}
