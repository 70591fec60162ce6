// How much of the evidence was found: by the first so many results, and within so many tokens of text.
import { lineName } from "./written-notes.ts";

/** Lines from 1 on, both included. */
export type Result = { path: string; startLine: number; endLine: number };

/** `within`: the share of the evidence inside 1,200 tokens of results. */
export type Judged = { at5: number; at6: number; at10: number; reciprocalRank: number; within: number };

export const mostTokens = 1_200;
const charactersInToken = 4;

/** Best first. */
export function judge(
  results: readonly Result[],
  evidence: ReadonlySet<string>,
  files: ReadonlyMap<string, readonly string[]>,
): Judged {
  const found = new Set<string>();
  const judged: Judged = { at5: 0, at6: 0, at10: 0, reciprocalRank: 0, within: 0 };
  let tokens = 0;
  for (const [at, { path, startLine, endLine }] of results.entries()) {
    const lines = (files.get(path) ?? []).slice(startLine - 1, endLine);
    const hits = lines.map((_, below) => lineName(path, startLine + below)).filter((line) => evidence.has(line));
    for (const line of hits) found.add(line);
    if (hits.length > 0) judged.reciprocalRank ||= 1 / (at + 1);
    tokens += lines.join("\n").length / charactersInToken;
    const share = found.size / evidence.size;
    if (tokens <= mostTokens) judged.within = share;
    if (at < 5) judged.at5 = share;
    if (at < 6) judged.at6 = share;
    if (at < 10) judged.at10 = share;
  }
  return judged;
}

export function meanOf(all: readonly Judged[]): Judged {
  const mean = (pick: (one: Judged) => number) =>
    all.reduce((sum, one) => sum + pick(one), 0) / Math.max(1, all.length);
  return {
    at5: mean((one) => one.at5),
    at6: mean((one) => one.at6),
    at10: mean((one) => one.at10),
    reciprocalRank: mean((one) => one.reciprocalRank),
    within: mean((one) => one.within),
  };
}
