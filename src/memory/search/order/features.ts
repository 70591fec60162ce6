// What the re-ranker weighs of each candidate: what it has in common with the question, alone and with what stands around it, who says
// it, when, and what it looks like.
import type { Index } from "../../index/open-index.ts";
import { at, none, type UnitTable } from "../../index/unit-table.ts";
import type { UnitText } from "../../index/unit-texts.ts";
import { stemOf, tellingWords } from "../../text/words.ts";
import { spoken } from "../../units/unit.ts";
import { dateFit, type Question } from "../question.ts";
import type { Candidates } from "../scores/candidates.ts";
import { type KeywordScores, rarityOf, type Scores } from "../scores/keyword-scores.ts";
import type { MeaningScores } from "../scores/meaning-scores.ts";
import type { NearWords } from "../scores/near-words.ts";
import { inSpreads } from "../scores/standard.ts";
import { type AskedWord, openCoverage } from "./coverage.ts";
import { endsAsking, hasQuestion, readSignals } from "./text-signals.ts";

export type Searched = {
  index: Index;
  question: Question;
  near: NearWords;
  keywords: KeywordScores;
  meaning: MeaningScores | undefined;
  candidates: Candidates;
  texts: ReadonlyMap<number, UnitText>;
  /** Adds the vector of a word, of length one, so many times. */
  addWord(word: string, times: number, out: Float32Array): void;
};

export type Features = ReturnType<ReturnType<typeof openFeatures>>;

const shareOfName = 0.3;
// in a memory of a few messages a word that half of them say would count for nothing
const leastWeight = 0.2;
const rarityOfUnknown = 0.7;
const reach = 3;
const mostBetween = 3;
const mostNames = 2;
const bestForLikeness = 3;
// of the built-in table, by which words are compared whichever embedder serves
const wordDimensions = 256;

export function openFeatures(searched: Searched) {
  const { index, question, keywords, meaning, candidates, texts } = searched;
  const { table } = index;
  const asked = askedWords(searched);
  const total = asked.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const heaviest = Math.max(1e-6, ...asked.map(({ weight }) => weight));
  const coverageOf = openCoverage(asked, searched.near, (unit) => texts.get(unit)?.stems ?? []);
  const likeBest = openLikeBest(meaning, candidates.units);
  const wordMeaning = openWordMeaning(searched);
  const named = new Set(question.named.map((name) => table.speakers.indexOf(name)));
  const has = (kind: Parameters<Question["kinds"]["has"]>[0]) => Number(question.kinds.has(kind));
  return featuresOf;

  function featuresOf(unit: number) {
    const own = texts.get(unit);
    const around = neighboursOf(table, unit);
    const beside = (distance: number) => scoreOf(candidates.own, around.get(distance) ?? none);
    const before = around.get(-1) ?? none;
    const previous = texts.get(before)?.text ?? "";
    const signals = readSignals(own?.text ?? "");
    const coverage = coverageOf(unit, around);
    const speaker = at(table.speaker, unit);
    return {
      ...signals,
      exact: spreadOf(keywords.exact, unit),
      wide: spreadOf(keywords.wide, unit),
      meaning: meaning?.of[unit] ?? 0,
      around: spreadOf(keywords.around, unit),
      coveredAlike: coverage.alike / total,
      coveredAlikeAround: coverage.alikeAround / total,
      covered: coverage.own / total,
      coveredBeside: coverage.beside / total,
      coveredAround: coverage.around / total,
      rarestCovered: coverage.rarest / heaviest,
      secondBefore: beside(-2),
      before: beside(-1),
      after: beside(1),
      secondAfter: beside(2),
      surroundings: (beside(-3) + beside(3)) / 2 + (beside(-2) + beside(-1) + beside(1) + beside(2)) / 4,
      bySpeaker: candidates.asked === undefined ? 0 : speaker === candidates.asked ? 1 : -1,
      mentionsSpeaker: Number(mentions(own?.text ?? "", speaker)),
      namesSeveral: Number(question.named.length > 1),
      previousHasQuestion: Number(hasQuestion(previous)),
      previousEndsAsking: Number(endsAsking(previous)),
      previousWide: before === none ? 0 : spreadOf(keywords.wide, before),
      whenWithTime: has("when") * signals.tellsTime,
      howManyWithNumber: has("howmany") * signals.tellsNumber,
      whereWithPlace: has("where") * signals.place,
      whoWithNames: has("who") * Math.min(mostNames, signals.names),
      whyWithReason: has("why") * signals.reason,
      askedPicture: Number(question.asksForPicture) * signals.picture,
      dateFit: dateFit(question.date, own?.day ?? ""),
      wordPairs: wordPairs(asked, own?.stems ?? []) / total,
      opensSession: Number(before === none || at(table.previous, before) === none),
      likeBest: likeBest(unit),
      wordMeaning: wordMeaning(own),
    };
  }

  function mentions(text: string, speaker: number): boolean {
    if (named.size === 0) return false;
    const lower = text.toLowerCase();
    return question.named.some(
      (name) => table.speakers[speaker] !== name && lower.includes(name.split(" ")[0] ?? name),
    );
  }
}

function askedWords({ index, question, keywords }: Searched): readonly AskedWord[] {
  const unknown = Math.log(index.table.live + 1) * rarityOfUnknown;
  return question.stems.map((stem) => ({
    stem,
    weight:
      Math.max(leastWeight, keywords.rarity.get(stem) ?? unknown) * (question.nameStems.has(stem) ? shareOfName : 1),
  }));
}

/** By their distance: those before it are below zero. */
function neighboursOf(table: UnitTable, unit: number): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const [column, sign] of [[table.previous, -1] as const, [table.next, 1] as const]) {
    let other = unit;
    for (let distance = 1; distance <= reach; distance++) {
      other = at(column, other);
      if (other === none) break;
      found.set(sign * distance, other);
    }
  }
  return found;
}

/** Words that follow each other in the question and stand close together here. */
function wordPairs(asked: readonly AskedWord[], stems: readonly string[]): number {
  let sum = 0;
  for (const [place, word] of asked.entries()) {
    const next = asked[place + 1];
    const [one, other] = next ? [stems.indexOf(word.stem), stems.indexOf(next.stem)] : [-1, -1];
    if (next && one >= 0 && other >= 0 && Math.abs(one - other) <= mostBetween)
      sum += Math.min(word.weight, next.weight);
  }
  return sum;
}

/** What is like the best candidates is likely to belong to the answer (pseudo-relevance feedback). */
function openLikeBest(meaning: MeaningScores | undefined, units: readonly number[]): (unit: number) => number {
  const best = units.slice(0, bestForLikeness).flatMap((unit) => meaning?.vectorOf(unit) ?? []);
  const middle = new Float32Array(best[0]?.length ?? 0);
  for (const vector of best)
    for (let place = 0; place < middle.length; place++) middle[place] = (middle[place] ?? 0) + (vector[place] ?? 0);
  const length = Math.sqrt(dot(middle, middle)) || 1;
  for (let place = 0; place < middle.length; place++) middle[place] = (middle[place] ?? 0) / length;
  return (unit) => (middle.length === 0 ? 0 : (meaning?.likenessTo(middle, unit) ?? 0));
}

/** How alike the words of both are when each counts by how rare it is. */
function openWordMeaning({ index, question, addWord }: Searched): (own: UnitText | undefined) => number {
  const { table, counts } = index;
  const rarity = (word: string) => {
    const units = counts.of(stemOf(word));
    return units === 0 ? Math.log(table.live + 1) * rarityOfUnknown : rarityOf(units, table.live);
  };
  const bagOf = (words: Iterable<string>) => {
    const sum = new Float32Array(wordDimensions);
    for (const word of words) addWord(word, rarity(word), sum);
    return sum;
  };
  const isName = (word: string) => speakerWords.has(word);
  const speakerWords = new Set(table.speakers.flatMap((name) => name.match(/[\p{L}\p{N}]+/gu) ?? []));
  const asked = bagOf(question.words.filter((word) => !question.nameWords.has(word)));
  const squared = dot(asked, asked);
  return (own) => {
    const bag = own && bagOf(new Set(tellingWords(spoken(own)).filter((word) => !isName(word))));
    if (!bag) return 0;
    return dot(asked, bag) / (Math.sqrt(squared * dot(bag, bag)) || 1);
  };
}

function spreadOf(scores: Scores, unit: number): number {
  return inSpreads(scores.of[unit] ?? 0, scores.standard);
}

function scoreOf(own: Float32Array, unit: number): number {
  return unit === none ? 0 : (own[unit] ?? 0);
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let place = 0; place < one.length; place++) sum += (one[place] ?? 0) * (other[place] ?? 0);
  return sum;
}
