// The words of a question and those that mean something like them and stand in the index.
import type { WordCounts } from "../../index/word-counts.ts";
import { stemOf } from "../../text/words.ts";

export type NearWords = {
  /** Words beside the question's own that are looked for, by how alike they are. */
  further: ReadonlyMap<string, number>;
  /** For each word of the question: what counts for it in a text, from 0 to 1. */
  strengths: ReadonlyMap<string, ReadonlyMap<string, number>>;
};

export type Nearest = (
  word: string,
  among: (word: string) => boolean,
  atLeast: number,
  most: number,
) => readonly { word: string; likeness: number }[];

const leastAlike = 0.4;
const mostAlike = 40;
const leastSought = 0.45;
const mostSought = 12;
const likenessOfMember = 0.65;

export function nearWords(
  words: readonly string[],
  counts: WordCounts,
  { nearest, kinds }: { nearest: Nearest; kinds: ReadonlyMap<string, ReadonlySet<string>> },
): NearWords {
  const isThere = (stem: string) => counts.of(stem) > 0;
  const further = new Map<string, number>();
  const strengths = new Map<string, ReadonlyMap<string, number>>();
  for (const word of words) {
    const own = stemOf(word);
    const near = new Map<string, number>();
    const add = (stem: string, likeness: number) => near.set(stem, Math.max(near.get(stem) ?? 0, likeness));
    for (const one of nearest(word, (each) => isThere(stemOf(each)), leastAlike, mostAlike))
      add(stemOf(one.word), one.likeness);
    for (const member of kinds.get(own) ?? []) if (isThere(member)) add(member, likenessOfMember);
    near.delete(own);
    const sought = [...near].filter(([, likeness]) => likeness > leastSought).sort((one, other) => other[1] - one[1]);
    for (const [stem, likeness] of sought.slice(0, mostSought))
      further.set(stem, Math.max(further.get(stem) ?? 0, likeness));
    const alike = [...near].map(([stem, likeness]) => [stem, Math.max(0, (likeness - 0.3) / 0.7)] as const);
    if (!strengths.has(own)) strengths.set(own, new Map([[own, 1], ...alike]));
  }
  return { further, strengths };
}
