// The learned order, mixed with what several plain likenesses agree on: what is learned from some conversations holds less in others, and
// plain likeness holds the same in all.

import { inSpreads, standardOf } from "../scores/standard.ts";
import type { Features } from "./features.ts";

/** In the order of the candidates. `together`: what each has with what stands around it. */
export function mixWithAgreement(
  scores: Float64Array,
  { features, together }: { features: readonly Features[]; together: Float32Array },
  share: number,
): Float64Array {
  const spreads = (pick: (one: Features) => number) => inOwnSpreads(features.map(pick));
  const likenesses = [
    inOwnSpreads(together),
    spreads(({ coveredAlike }) => coveredAlike),
    spreads(({ wordMeaning }) => wordMeaning),
    spreads(({ likeBest }) => likeBest),
  ];
  const agreement = inOwnSpreads(scores.map((_, place) => sumAt(likenesses, place)));
  const ofSelf = spreads(({ speaksOfSelf }) => speaksOfSelf);
  const asking = spreads(({ hasQuestion }) => hasQuestion);
  const bySpeaker = spreads(({ bySpeaker: speaks }) => speaks);
  // an answer tells something of whoever is asked about, and asks nothing
  return scores.map(
    (score, place) =>
      score +
      share * (agreement[place] ?? 0) +
      0.25 * (ofSelf[place] ?? 0) -
      0.15 * (asking[place] ?? 0) +
      0.2 * (bySpeaker[place] ?? 0),
  );
}

function inOwnSpreads(values: ArrayLike<number>): Float64Array {
  let [sum, squares] = [0, 0];
  for (let place = 0; place < values.length; place++) {
    const value = values[place] ?? 0;
    sum += value;
    squares += value * value;
  }
  const standard = standardOf(sum, squares, values.length);
  return Float64Array.from(values, (value) => inSpreads(value, standard));
}

function sumAt(lists: readonly Float64Array[], place: number): number {
  return lists.reduce((sum, list) => sum + (list[place] ?? 0), 0);
}
