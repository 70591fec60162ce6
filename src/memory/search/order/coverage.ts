// How much of what is asked a unit says: each word of the question counts by how rare it is, and one that means something like it in part.
import type { NearWords } from "../scores/near-words.ts";

/** A word of the question and how much it says. */
export type AskedWord = { stem: string; weight: number };

type Said = {
  /** Of each word of the question: 1 if it stands there. */
  exact: Float32Array;
  /** Of each word of the question: from 0 to 1, how alike the most alike word there is. */
  alike: Float32Array;
};

type Coverage = {
  own: number;
  beside: number;
  around: number;
  alike: number;
  alikeAround: number;
  /** The weight of the rarest word of the question that stands there itself. */
  rarest: number;
};

const aroundShares = [1, 0.8, 0.65, 0.5];

type CoverageReader = (unit: number, around: ReadonlyMap<number, number>) => Coverage;

export function openCoverage(
  asked: readonly AskedWord[],
  { strengths }: Pick<NearWords, "strengths">,
  stemsOf: (unit: number) => readonly string[],
): CoverageReader {
  // by what stands in a text, so that each of its words is looked up once
  const meant = new Map<string, { place: number; strength: number }[]>();
  for (const [place, { stem }] of asked.entries())
    for (const [alike, strength] of strengths.get(stem) ?? [[stem, 1]])
      meant.set(alike, [...(meant.get(alike) ?? []), { place, strength }]);
  const known = new Map<number, Said>();
  return coverageOf;

  function saidBy(unit: number): Said {
    const before = known.get(unit);
    if (before) return before;
    const exact = new Float32Array(asked.length);
    const alike = new Float32Array(asked.length);
    for (const stem of stemsOf(unit))
      for (const { place, strength } of meant.get(stem) ?? []) {
        if (asked[place]?.stem === stem) exact[place] = 1;
        alike[place] = Math.max(alike[place] ?? 0, strength);
      }
    const said = { exact, alike };
    known.set(unit, said);
    return said;
  }

  function coverageOf(unit: number, around: ReadonlyMap<number, number>): Coverage {
    const own = saidBy(unit);
    const others = [...around].map(([distance, other]) => ({ distance: Math.abs(distance), said: saidBy(other) }));
    const sum = { own: 0, beside: 0, around: 0, alike: 0, alikeAround: 0, rarest: 0 };
    for (const [place, { weight }] of asked.entries()) {
      const isOwn = own.exact[place] ?? 0;
      let [beside, isAround, alikeAround] = [isOwn, isOwn, own.alike[place] ?? 0];
      for (const { distance, said } of others) {
        const isOther = said.exact[place] ?? 0;
        isAround = Math.max(isAround, isOther);
        if (distance === 1) beside = Math.max(beside, isOther);
        alikeAround = Math.max(alikeAround, (said.alike[place] ?? 0) * (aroundShares[distance] ?? 0));
      }
      sum.rarest = Math.max(sum.rarest, weight * isOwn);
      sum.own += weight * isOwn;
      sum.beside += weight * beside;
      sum.around += weight * isAround;
      sum.alike += weight * (own.alike[place] ?? 0);
      sum.alikeAround += weight * alikeAround;
    }
    return sum;
  }
}
