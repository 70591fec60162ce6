// Of every vector one bit for each number, after a turn that spreads what it says over all of them (binary quantisation): 32 bytes
// a unit for 256 numbers. Bits that differ tell the angle.
import { type Centre, centre } from "./centred.ts";
import { lengthOf } from "./row-bytes.ts";
import type { VectorsInMemory } from "./vectors-in-memory.ts";

export function openBitVectors(around: Centre): VectorsInMemory {
  const dimensions = around.mean.length;
  const width = 2 ** Math.ceil(Math.log2(Math.max(32, dimensions)));
  const wordsOfRow = width / 32;
  const signs = turningSigns(width);
  let bits = new Int32Array(0);
  let has = new Uint8Array(0);
  const whole = new Float32Array(dimensions);
  const turned = new Float32Array(width);
  // by the number of bits that differ
  const cosines = Float32Array.from({ length: width + 1 }, (_, differing) => Math.cos((Math.PI * differing) / width));
  return {
    put(id, row) {
      if (id >= has.length) grow(id + 1);
      centre(around, row, lengthOf(row), whole);
      writeBits(whole, bits, id * wordsOfRow);
      has[id] = 1;
    },
    remove(id) {
      const isThere = (has[id] ?? 0) !== 0;
      if (isThere) has[id] = 0;
      return isThere;
    },
    isExact: false,
    likenesses(query, size) {
      const found = new Float32Array(size);
      const asked = new Int32Array(wordsOfRow);
      writeBits(query, asked, 0);
      const most = Math.min(size, has.length);
      for (let id = 0, start = 0; id < most; id++, start += wordsOfRow) {
        if (has[id] === 0) continue;
        let differing = 0;
        for (let word = 0; word < wordsOfRow; word++) {
          let left = (bits[start + word] ?? 0) ^ (asked[word] ?? 0);
          left -= (left >>> 1) & 0x55555555;
          left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
          differing += Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
        }
        found[id] = cosines[differing] ?? 0;
      }
      return found;
    },
  };

  function writeBits(vector: Float32Array, out: Int32Array, start: number): void {
    turned.fill(0);
    for (let at = 0; at < dimensions; at++) turned[at] = (vector[at] ?? 0) * (signs[at] ?? 0);
    spread(turned);
    for (let word = 0; word < wordsOfRow; word++) {
      let value = 0;
      for (let bit = 0; bit < 32; bit++) if ((turned[word * 32 + bit] ?? 0) > 0) value |= 1 << bit;
      out[start + word] = value;
    }
  }

  function grow(least: number): void {
    const count = Math.max(least, 1_024, Math.ceil(has.length * 1.5));
    const longer = new Int32Array(count * wordsOfRow);
    longer.set(bits);
    bits = longer;
    const more = new Uint8Array(count);
    more.set(has);
    has = more;
  }
}

/** Sums and differences of halves, of halves of halves, and so on (fast Walsh–Hadamard transform). */
function spread(values: Float32Array): void {
  for (let half = 1; half < values.length; half *= 2) {
    for (let block = 0; block < values.length; block += half * 2) {
      for (let at = block; at < block + half; at++) {
        const one = values[at] ?? 0;
        const other = values[at + half] ?? 0;
        values[at] = one + other;
        values[at + half] = one - other;
      }
    }
  }
}

/** The same in every process, or kept bits would mean something else. */
function turningSigns(count: number): Int8Array {
  let state = 0x2545f491;
  return Int8Array.from({ length: count }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state < 0 ? -1 : 1;
  });
}
