// `npm test` runs a sample of what takes long, chosen by the seed of the run; `npm run test:long` runs all of it.
// The seed is said when the run begins (see before-all-tests.ts): with the same STEWARD_TEST_SEED what failed once fails again.

/** Whether everything is run. A file that asks this is named *.sampled.test.ts, and so found by `npm run test:long`. */
export const isLong = process.env.STEWARD_TEST_LONG === "1";

/** As many of them as the short run takes, in their own order; all of them in the long one. */
export function sample<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (isLong || items.length <= count) return items;
  const random = openRandom();
  const ranked = items.map((_, at) => ({ at, rank: random() })).toSorted((one, other) => one.rank - other.rank);
  const chosen = new Set(ranked.slice(0, count).map(({ at }) => at));
  return items.filter((_, at) => chosen.has(at));
}

/** Numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
export function openRandom(): () => number {
  let state = Number(process.env.STEWARD_TEST_SEED ?? 1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
