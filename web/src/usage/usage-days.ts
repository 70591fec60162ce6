import type { UsageRow } from "../../../src/contract/wire/method.ts";
import { type Measure, measureOf, shareBy, sumUp } from "./usage-figures.ts";

export function rowsOn(rows: readonly UsageRow[], days: readonly string[]): UsageRow[] {
  const wanted = new Set(days);
  return rows.filter((row) => wanted.has(row.day));
}

export type DaySeries = { name: string; values: (number | null)[] };

/** One series a model, those with most first; the small ones together, so that colours stay few. */
export function seriesByModel(rows: readonly UsageRow[], days: readonly string[], measure: Measure): DaySeries[] {
  const models = shareBy(rowsOn(rows, days), "model").map((share) => share.name);
  // one left over keeps its own name: "others" for a single model would only hide it
  const named = models.length <= mostSeries ? models : models.slice(0, mostSeries - 1);
  const groups = [
    ...named.map((model) => ({ name: model, rows: rows.filter((row) => row.model === model) })),
    ...(named.length < models.length ? [{ name: others, rows: rows.filter((row) => !named.includes(row.model)) }] : []),
  ];
  return groups.map((group) => {
    const byDay = Map.groupBy(group.rows, (row) => row.day);
    return { name: group.name, values: days.map((day) => measureOf(measure, sumUp(byDay.get(day) ?? []))) };
  });
}

/** Each series on top of those before it, as bars are drawn: the first of the result is the lowest. */
export function stackUp(series: readonly DaySeries[]): number[][] {
  const sums: number[] = [];
  return series.map((one) =>
    one.values.map((value, day) => {
      sums[day] = (sums[day] ?? 0) + (value ?? 0);
      return sums[day];
    }),
  );
}

export const others = "Other models";
const mostSeries = 5;
