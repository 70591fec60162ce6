// The two formulas that need no learning: pieces of a fixed length, ordered by weights of meaning and words, or by their ranks in both
// (reciprocal rank fusion).
import { at, none, type UnitTable } from "../index/unit-table.ts";
import type { Passage } from "./passages.ts";
import { bestOf } from "./scores/best-of.ts";
import type { KeywordScores } from "./scores/keyword-scores.ts";
import type { MeaningScores } from "./scores/meaning-scores.ts";

export type Formula = { kind: "weights"; vector: number; keyword: number; minScore: number } | { kind: "rrf" };

export type ChunkWish = { formula: Formula; chunkTokens: number; chunkOverlap: number; most: number };

type Chunk = { units: readonly number[]; meaning: number; words: number };

// as reciprocal rank fusion was published
const rankOffset = 60;
const mostOfEach = 200;

export function rankChunks(
  table: UnitTable,
  keywords: KeywordScores,
  meaning: MeaningScores | undefined,
  wish: ChunkWish,
): readonly Passage[] {
  const seeds = new Set([
    ...bestOf(keywords.exact.of, mostOfEach).filter((unit) => (keywords.exact.of[unit] ?? 0) > 0),
    ...(meaning ? bestOf(meaning.of, mostOfEach) : []),
  ]);
  const chunks = [...new Set([...seeds].map((unit) => at(table.session, unit)))]
    .filter((session) => session !== none)
    .flatMap((session) => chunksOf(table, session, wish))
    .filter((units) => units.some((unit) => seeds.has(unit)))
    .map((units) => ({ units, meaning: toShare(meaning?.cosineOfAll(units) ?? -1), words: wordsOf(units) }));
  const most = wish.formula.kind === "rrf" ? 2 / (rankOffset + 1) : 1;
  return scored(chunks, wish.formula)
    .map((passage) => ({ ...passage, score: Math.min(1, passage.weight / most) }))
    .sort((one, other) => other.weight - one.weight || (one.units[0] ?? 0) - (other.units[0] ?? 0))
    .slice(0, wish.most);

  function wordsOf(units: readonly number[]): number {
    return units.reduce((sum, unit) => sum + (keywords.exact.of[unit] ?? 0), 0);
  }
}

/** A cosine as a number from 0 to 1, as one of words is. */
function toShare(cosine: number): number {
  return (1 + cosine) / 2;
}

function scored(chunks: readonly Chunk[], formula: Formula): Passage[] {
  if (formula.kind === "rrf") {
    const [byMeaning, byWords] = [ranksOf(chunks, "meaning"), ranksOf(chunks, "words")];
    return chunks.map((chunk) => ({
      units: chunk.units,
      weight: 1 / (rankOffset + (byMeaning.get(chunk) ?? 0)) + 1 / (rankOffset + (byWords.get(chunk) ?? 0)),
    }));
  }
  const most = Math.max(1e-6, ...chunks.map(({ words }) => words));
  return chunks
    .map(({ units, meaning, words }) => ({
      units,
      weight: formula.vector * meaning + (formula.keyword * words) / most,
    }))
    .filter(({ weight }) => weight >= formula.minScore);
}

function ranksOf(chunks: readonly Chunk[], by: "meaning" | "words"): ReadonlyMap<Chunk, number> {
  const ordered = [...chunks].sort((one, other) => other[by] - one[by]);
  return new Map(ordered.map((chunk, place) => [chunk, place + 1]));
}

function chunksOf(table: UnitTable, session: number, { chunkTokens, chunkOverlap }: ChunkWish): number[][] {
  const chunks: number[][] = [];
  let current: number[] = [];
  for (let unit = table.sessions.get(session)?.first ?? none; unit !== none; unit = at(table.next, unit)) {
    if (current.length > 0 && tokensOf(table, [...current, unit]) > chunkTokens) {
      chunks.push(current);
      current = tailOf(table, current, chunkOverlap);
    }
    current.push(unit);
  }
  if (current.length > 0) chunks.push(current);
  return chunks;
}

function tailOf(table: UnitTable, units: readonly number[], mostTokens: number): number[] {
  let from = units.length;
  // a whole piece carried over would never come to an end
  while (from > 1 && tokensOf(table, units.slice(from - 1)) <= mostTokens) from--;
  return units.slice(from);
}

function tokensOf(table: UnitTable, units: readonly number[]): number {
  return units.reduce((sum, unit) => sum + at(table.characters, unit), 0) / 4;
}
