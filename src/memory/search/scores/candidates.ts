// The units that may hold the answer: by words and meaning of their own, of their neighbours and of their session, and by who speaks.
import type { Index } from "../../index/open-index.ts";
import { at, none, type UnitTable } from "../../index/unit-table.ts";
import type { Question } from "../question.ts";
import { bestOf } from "./best-of.ts";
import type { KeywordScores } from "./keyword-scores.ts";
import type { MeaningScores } from "./meaning-scores.ts";

export type Candidates = {
  /** Best first. */
  units: readonly number[];
  /** In their order: what each has together with what stands around it. */
  together: Float32Array;
  /** By the number of the unit: what each has by itself, by words and meaning. */
  own: Float32Array;
  /** The one speaker whom the question names. */
  asked: number | undefined;
};

const meaningShare = 0.4;
const shareOfNext = 0.3;
const shareOfSecond = 0.27;
const shareOfSession = 0.54;
const speakerBonus = 2.4;
const mostCandidates = 200;
// where meaning is estimated, so many are looked at before the candidates are chosen
const mostLookedAt = 400;

export function chooseCandidates(
  { table }: Index,
  question: Question,
  keywords: KeywordScores,
  meaning: MeaningScores | undefined,
): Candidates {
  const asked = question.named.length === 1 ? table.speakers.indexOf(question.named[0] ?? "") : undefined;
  const own = new Float32Array(table.size);
  const ofSession = sessionShares(keywords);
  const setOwn = ownScores(own, keywords, meaning);
  for (let unit = 0; unit < own.length; unit++) setOwn(unit);
  const firstOf = togetherScores(table, own, ofSession, asked);
  const first = new Float32Array(table.size);
  for (let unit = 0; unit < first.length; unit++)
    first[unit] = table.session[unit] === none ? Number.NEGATIVE_INFINITY : firstOf(unit);
  if (!meaning || meaning.isExact) return chosen(first);
  const looked = withNeighbours(table, bestOf(first, mostLookedAt), 1);
  meaning.lookAt(looked);
  for (const unit of looked) setOwn(unit);
  const refined = new Float32Array(table.size).fill(Number.NEGATIVE_INFINITY);
  for (const unit of looked) refined[unit] = firstOf(unit);
  return chosen(refined);

  function chosen(scores: Float32Array): Candidates {
    const units = bestOf(scores, mostCandidates);
    return { units, together: Float32Array.from(units, (unit) => scores[unit] ?? 0), own, asked };
  }
}

function ownScores(own: Float32Array, { wide }: KeywordScores, meaning: MeaningScores | undefined) {
  const { mean, spread } = wide.standard;
  const share = meaning ? meaningShare : 0;
  const factor = (1 - share) / spread;
  return (unit: number) => {
    own[unit] = share * (meaning?.of[unit] ?? 0) + factor * ((wide.of[unit] ?? 0) - mean);
  };
}

function sessionShares({ session }: KeywordScores): Float32Array {
  const { mean, spread } = session.standard;
  return session.of.map((score) => (shareOfSession * (score - mean)) / spread);
}

function togetherScores(
  { session, previous, next, speaker }: UnitTable,
  own: Float32Array,
  ofSession: Float32Array,
  asked: number | undefined,
): (unit: number) => number {
  const besides = (column: Int32Array, unit: number) => {
    const one = column[unit] ?? none;
    if (one === none) return 0;
    const other = column[one] ?? none;
    return shareOfNext * (own[one] ?? 0) + (other === none ? 0 : shareOfSecond * (own[other] ?? 0));
  };
  return (unit) => {
    const score =
      (own[unit] ?? 0) + (ofSession[session[unit] ?? 0] ?? 0) + besides(previous, unit) + besides(next, unit);
    return asked !== undefined && speaker[unit] === asked ? score + speakerBonus : score;
  };
}

export function withNeighbours(table: UnitTable, units: readonly number[], reach: number): ReadonlySet<number> {
  const found = new Set<number>();
  for (const unit of units) {
    found.add(unit);
    for (const column of [table.previous, table.next]) {
      let other = unit;
      for (let distance = 0; distance < reach; distance++) {
        other = at(column, other);
        if (other === none) break;
        found.add(other);
      }
    }
  }
  return found;
}
