// The table every bench prints: a figure, what it is compared with in the same run, and whether the goal is met.
import { availableParallelism, loadavg } from "node:os";

export type Unit =
  | "ms"
  | "s CPU"
  | "ms CPU"
  | "MB"
  | "KB"
  | "score"
  | "tokens"
  | "turns/s"
  | "jobs/s"
  | "tasks/s"
  | "units/s"
  | "% CPU";

export type Figure = {
  what: string;
  value: number;
  unit: Unit;
  /** Measured in the same run, in the same unit. */
  against?: { name: string; value: number };
  goal?: { atMost: number } | { atLeast: number } | { ratioAtMost: number };
};

const heads = ["", "figure", "compared with", "ratio", "goal", ""];

export function printReport(figures: readonly Figure[]): void {
  printRows([heads, ...figures.map(cellsOf)]);
  const load = loadavg()[0] ?? 0;
  const cores = availableParallelism();
  const doubt = load > cores ? "; more than there are cores, so only CPU, memory and ratios hold" : "";
  console.log(`load average of the last minute: ${load.toFixed(1)} on ${cores} cores${doubt}`);
}

/** Under each other; the first one has the heads. */
export function printRows(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(cells.join("  ").trimEnd());
  }
}

function cellsOf(figure: Figure): string[] {
  const { what, value, unit, against, goal } = figure;
  const compared = against ? `${against.name} ${amount(against.value)} ${unit}` : "";
  const ratio = ratioOf(figure);
  return [
    what,
    `${amount(value)} ${unit}`,
    compared,
    ratio === undefined ? "" : `× ${amount(ratio)}`,
    goalWords(figure),
    goal ? verdict(figure) : "",
  ];
}

function goalWords({ goal, unit }: Figure): string {
  if (!goal) return "";
  if ("atMost" in goal) return `≤ ${amount(goal.atMost)} ${unit}`;
  if ("atLeast" in goal) return `≥ ${amount(goal.atLeast)} ${unit}`;
  return `≤ × ${amount(goal.ratioAtMost)}`;
}

function verdict(figure: Figure): "ok" | "over" | "under" {
  const { goal, value } = figure;
  if (!goal) return "ok";
  if ("atLeast" in goal) return value >= goal.atLeast ? "ok" : "under";
  if ("atMost" in goal) return value <= goal.atMost ? "ok" : "over";
  return (ratioOf(figure) ?? Number.POSITIVE_INFINITY) <= goal.ratioAtMost ? "ok" : "over";
}

function ratioOf({ value, against }: Figure): number | undefined {
  return against && against.value > 0 ? value / against.value : undefined;
}

function amount(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  // small ratios are what the comparison is about
  return value.toFixed(size > 0 && size < 0.1 ? 3 : 2);
}
