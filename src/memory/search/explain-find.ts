// Why something was found, in words for a person.
import { stemOf, tellingWords } from "../text/words.ts";
import { spoken } from "../units/unit.ts";
import type { Features, Searched } from "./order/features.ts";

const mostWords = 4;
// so far above the others that it is not by chance
const alikeInMeaning = 2.5;

export function explainFind(searched: Searched, units: readonly number[], features: readonly Features[]): string[] {
  const { question, near, texts } = searched;
  const own = units.flatMap((unit) => texts.get(unit) ?? []);
  const said = new Map<string, string>();
  for (const unit of own)
    for (const word of tellingWords(`${unit.context} ${spoken(unit)}`)) {
      const stem = stemOf(word);
      if (!said.has(stem)) said.set(stem, word);
    }
  const exact = question.stems.flatMap((stem) => said.get(stem) ?? []);
  const alike = question.stems
    .filter((stem) => !said.has(stem))
    .flatMap((stem) => {
      const [best] = [...(near.strengths.get(stem) ?? [])]
        .filter(([other]) => said.has(other))
        .sort((a, b) => b[1] - a[1]);
      return best ? [said.get(best[0]) ?? best[0]] : [];
    });
  const most = (pick: (one: Features) => number) => features.reduce((top, one) => Math.max(top, pick(one)), 0);
  const speakers = question.named.filter((name) => own.some(({ speaker }) => speaker.toLowerCase() === name));
  return [
    ...(exact.length > 0 ? [`says ${listed(exact)}`] : []),
    ...(alike.length > 0 ? [`says ${listed(alike)}, which is close to what you ask for`] : []),
    ...(speakers.length > 0
      ? [`said by ${own.find(({ speaker }) => speaker.toLowerCase() === speakers[0])?.speaker ?? ""}`]
      : []),
    ...(most(({ dateFit }) => dateFit) > 0 ? ["is from the time you name"] : []),
    ...(most(({ meaning }) => meaning) > alikeInMeaning ? ["is alike in meaning"] : []),
  ];
}

function listed(words: readonly string[]): string {
  return [...new Set(words)]
    .slice(0, mostWords)
    .map((word) => `“${word}”`)
    .join(", ");
}
