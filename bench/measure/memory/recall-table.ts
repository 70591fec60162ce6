import { median } from "../figures.ts";
import { printRows } from "../report.ts";
import { type Judged, meanOf } from "./judged.ts";
import { type Answered, type Way, ways } from "./recall.ts";

// what was tried on them decided how the memory ranks; the others say what it is worth elsewhere
const tunedOn: ReadonlySet<string> = new Set(["conv-26", "conv-30", "conv-41"]);
const goals = { at6: 0.894, at10: 0.931, within: 0.886 };
const heads = ["", "", "questions", "R@5", "R@6", "R@10", "MRR", "1,200 tokens", "p50 ms"];

/** In percent. */
export function printRecall(answered: readonly Answered[]): void {
  const isTuned = ({ conversation }: Answered) => tunedOn.has(conversation);
  const groups: readonly (readonly [string, readonly Answered[]])[] = [
    ["all conversations", answered],
    ["tuned on", answered.filter(isTuned)],
    ["held out", answered.filter((one) => !isTuned(one))],
    ...[...new Set(answered.map(({ category }) => category))]
      .sort()
      .map((category) => [`category ${category}`, answered.filter((one) => one.category === category)] as const),
  ];
  const shown = groups.filter(([, all]) => all.length > 0);
  printRows([heads, ...shown.flatMap(([name, all]) => ways.map((way, at) => rowOf(at === 0 ? name : "", way, all)))]);
  const whole = meanOf(answered.filter(({ way }) => way === "learned").map(({ judged }) => judged));
  console.log(
    `goals on all: ${goalWords("R@6", whole.at6, goals.at6)}, ${goalWords("R@10", whole.at10, goals.at10)}, ${goalWords("inside 1,200 tokens", whole.within, goals.within)}`,
  );
}

function rowOf(name: string, way: Way, all: readonly Answered[]): string[] {
  const own = all.filter((one) => one.way === way);
  const { at5, at6, at10, reciprocalRank, within }: Judged = meanOf(own.map(({ judged }) => judged));
  const shares = [at5, at6, at10, reciprocalRank, within].map(percent);
  return [name, way, String(own.length), ...shares, median(own.map(({ ms }) => ms)).toFixed(1)];
}

function goalWords(name: string, value: number, goal: number): string {
  return `${name} ${percent(value)} (${percent(goal)}: ${percent(value) >= percent(goal) ? "ok" : "under"})`;
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}
