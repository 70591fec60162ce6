import { median, quantile } from "../figures.ts";
import { type Figure, printReport } from "../report.ts";
import type { Speed } from "./speed.ts";

const leastUnitsPerSecond = 2_000;
const mostHeldUpMs = 20;
// by the number of units that they are said for
const mostMs: readonly (readonly [units: number, ms: number])[] = [
  [10_000, 15],
  [100_000, 60],
  [1_000_000, 150],
];
const mostGrowthMb = 60;
const unitsOfGrowth = 100_000;

export function printSpeed(measured: readonly Speed[]): void {
  printReport(measured.flatMap(figuresOf));
}

function figuresOf(speed: Speed): Figure[] {
  const { units, askedMs, plainMs, rssMb, heldUp } = speed;
  const name = `${units.toLocaleString("en")} units`;
  const plain = (value: number) => ({ name: "FTS5 alone", value });
  const held = (what: string, which: "reading" | "asked"): Figure[] => [
    {
      what: `${name}: main thread held up while ${what}, longest`,
      value: heldUp[which].maxMs,
      unit: "ms",
      against: { name: "at rest", value: heldUp.resting.maxMs },
      goal: { atMost: mostHeldUpMs },
    },
    {
      what: `${name}: the same, 99th of 100`,
      value: heldUp[which].p99Ms,
      unit: "ms",
      against: { name: "at rest", value: heldUp.resting.p99Ms },
    },
  ];
  const grown = { atMost: mostGrowthMb };
  return [
    {
      what: `${name}: read and indexed`,
      value: speed.unitsPerSecond,
      unit: "units/s",
      against: plain(speed.plainUnitsPerSecond),
      goal: { atLeast: leastUnitsPerSecond },
    },
    {
      what: `${name}: a question, median`,
      value: median(askedMs),
      unit: "ms",
      against: plain(median(plainMs)),
      ...goalFor(units),
    },
    {
      what: `${name}: a question, 95th of 100`,
      value: quantile(askedMs, 0.95),
      unit: "ms",
      against: plain(quantile(plainMs, 0.95)),
    },
    { what: `${name}: first question of a process`, value: speed.coldMs, unit: "ms" },
    {
      what: `${name}: resident memory grown by the index`,
      value: rssMb.read - rssMb.before,
      unit: "MB",
      against: { name: "before", value: rssMb.before },
      ...(units <= unitsOfGrowth && { goal: grown }),
    },
    {
      what: `${name}: the same after the questions`,
      value: rssMb.asked - rssMb.before,
      unit: "MB",
      against: { name: "before", value: rssMb.before },
      ...(units <= unitsOfGrowth && { goal: grown }),
    },
    ...held("reading", "reading"),
    ...held("asked", "asked"),
  ];
}

function goalFor(units: number): { goal?: { atMost: number } } {
  // some lines are two units, or none
  const ms = mostMs.find(([most]) => units <= most * 1.05)?.[1];
  return ms === undefined ? {} : { goal: { atMost: ms } };
}
