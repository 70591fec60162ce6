// One search of one index: what is asked comes in; what was found goes out, best first, each with a score and why.
import type { MemorySettings } from "../../contract/memory/memory-settings.ts";
import type { TokenTable } from "../embed/builtin/token-table.ts";
import type { Index } from "../index/open-index.ts";
import { none } from "../index/unit-table.ts";
import { explainFind } from "./explain-find.ts";
import { findPhrase } from "./find-phrase.ts";
import { mixWithAgreement } from "./order/agreement.ts";
import { type Features, openFeatures, type Searched } from "./order/features.ts";
import type { Ranker } from "./order/ranker.ts";
import { endsAsking } from "./order/text-signals.ts";
import { choosePassages, type Find, type Passage, packUnits } from "./passages.ts";
import { readQuestion } from "./question.ts";
import { rankChunks } from "./rank-chunks.ts";
import { chooseCandidates, withNeighbours } from "./scores/candidates.ts";
import { scoreKeywords } from "./scores/keyword-scores.ts";
import { scoreMeaning } from "./scores/meaning-scores.ts";
import { nearWords } from "./scores/near-words.ts";

export type SearchDeps = {
  table: Pick<TokenTable, "nearestWords" | "addWord">;
  ranker: Ranker;
  /** Words that name one of a kind, by the kind. */
  kinds: ReadonlyMap<string, ReadonlySet<string>>;
  settings: MemorySettings["search"];
};

export type Wish = {
  query: string;
  /** Undefined: nothing can be told of meaning. */
  vector: Float32Array | undefined;
  most: number;
  /** Of all together; they are then single units. */
  maxTokens?: number | undefined;
};

const reach = 3;
// how much likeness counts beside what is learned: less for single units, where much alike is often only the question over again
const agreementForPassages = 1.25;
const agreementForUnits = 0.8;
// a long unit must tell more than a short one, yet not so much more as it is longer
const lengthPower = 0.2;
// so much of what a question is about stands somewhere for nearly every question that has an answer
const weightOfOwnQuestion = 4;
const leastCovered = 0.25;
// what comes after all that holds so much of it has nothing to do with the question
const leastScore = 0.2;
// of the first few half of it is enough: in a small memory a word that is said often counts for little
const firstFew = 3;

export function searchIndex({ table, ranker, kinds, settings }: SearchDeps, index: Index, wish: Wish): readonly Find[] {
  const question = readQuestion(wish.query, index.table.speakers);
  if (question.words.length === 0) return findPhrase(index, wish.query, wish.most);
  const near = nearWords(question.words, index.counts, { nearest: table.nearestWords, kinds });
  const keywords = scoreKeywords(index, question.stems, near.further);
  const meaning = wish.vector && scoreMeaning(index, wish.vector);
  const candidates = chooseCandidates(index, question, keywords, meaning);
  const texts = index.texts.of(withNeighbours(index.table, candidates.units, reach));
  const { addWord } = table;
  const searched: Searched = { index, question, near, keywords, meaning, candidates, texts, addWord };
  const featuresOf = openFeatures(searched);
  const features = new Map(candidates.units.map((unit) => [unit, featuresOf(unit)]));
  const isLearned = settings.ranking === "learned" || wish.maxTokens !== undefined;
  const isAnswered = [...features.values()].some(({ coveredAlikeAround }) => coveredAlikeAround >= leastCovered);
  if (isLearned && !isAnswered) return [];
  const learned = ranker.scores([...features.values()]);
  const agreement = wish.maxTokens === undefined ? agreementForPassages : agreementForUnits;
  const known = { features: [...features.values()], together: candidates.together };
  const mixed = mixWithAgreement(learned, known, agreement);
  const shares = ranker.shares(mixed.map((score, place) => score - (isOwnQuestion(place) ? weightOfOwnQuestion : 0)));
  const weights = new Map(candidates.units.map((unit, place) => [unit, shares[place] ?? 0]));
  const isSingle = wish.maxTokens !== undefined;
  const finds = toFinds({ ...searched, features, weights, isSingle }, passagesOf());
  if (!isLearned || isSingle) return finds;
  return inOrder(finds.filter(({ units }) => !units.every(isAskedByOwner))).filter(
    ({ score }, place) => score >= (place < firstFew ? leastScore / 2 : leastScore),
  );

  /** What the owner once asked is alike to what they ask now, and tells nothing. */
  function isOwnQuestion(place: number): boolean {
    return isAskedByOwner(candidates.units[place] ?? none);
  }

  function isAskedByOwner(unit: number): boolean {
    const text = texts.get(unit);
    return text?.speaker === "" && endsAsking(text.text);
  }

  function passagesOf(): readonly Passage[] {
    const { ranking, chunkTokens, chunkOverlap, hybridWeights, minScore } = settings;
    if (ranking !== "learned" && wish.maxTokens === undefined) {
      const formula = ranking === "rrf" ? { kind: ranking } : { kind: ranking, ...hybridWeights, minScore };
      return rankChunks(index.table, keywords, meaning, { formula, chunkTokens, chunkOverlap, most: wish.most });
    }
    return wish.maxTokens === undefined
      ? choosePassages(index.table, weights, { mostTokens: chunkTokens, most: wish.most })
      : packUnits(index.table, weights, { mostTokens: wish.maxTokens, most: wish.most, lengthPower });
  }
}

type Weighed = Searched & {
  features: ReadonlyMap<number, Features>;
  weights: ReadonlyMap<number, number>;
  /** A unit that stands alone counts for what it says itself. */
  isSingle: boolean;
};

/** With how much of what is asked each holds. */
function toFinds(weighed: Weighed, passages: readonly Passage[]): readonly Find[] {
  const { features, weights, isSingle } = weighed;
  const weightOf = (unit: number) => weights.get(unit) ?? 0;
  return passages.map(({ units, score }) => {
    const own = units.flatMap((unit) => features.get(unit) ?? []);
    const covered = own.reduce((most, one) => Math.max(most, isSingle ? one.coveredAlike : one.coveredAlikeAround), 0);
    const held = score ?? covered;
    const best = units.reduce((top, unit) => (weightOf(unit) > weightOf(top) ? unit : top), units[0] ?? none);
    return { units, best, score: Math.round(held * 1_000) / 1_000, why: explainFind(weighed, units, own) };
  });
}

/** Who stands before is thought to hold no less than who comes after. */
function inOrder(finds: readonly Find[]): readonly Find[] {
  let score = 0;
  return finds
    .toReversed()
    .map((find) => {
      score = Math.max(score, find.score);
      return { ...find, score };
    })
    .reverse();
}
