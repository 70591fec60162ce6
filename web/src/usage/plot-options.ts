import uPlot from "uplot";
import { formatMeasure, shortDay } from "./chart-words.ts";
import { type DaySeries, stackUp } from "./usage-days.ts";
import type { Measure } from "./usage-figures.ts";

export type Chart = { measure: Measure; days: readonly string[]; series: readonly DaySeries[] };
export type ChartColours = { series: readonly string[]; line: string; ink: string };

/** Costs and tokens add up, so they are bars on top of each other; times do not, so they are lines. */
function isStacked(chart: Chart): boolean {
  return chart.measure !== "latency";
}

export function plotValues(chart: Chart): uPlot.AlignedData {
  const places = chart.days.map((_, index) => index);
  // the highest bar is drawn first and the lower ones over it
  const values = isStacked(chart) ? stackUp(chart.series).toReversed() : chart.series.map((one) => one.values);
  return [places, ...values];
}

export function plotOptions(
  chart: Chart,
  colours: ChartColours,
  pointAt: (index: number | undefined) => void,
): Omit<uPlot.Options, "width" | "height"> {
  const axis = { stroke: colours.ink, font: "12px system-ui, sans-serif", ticks: { show: false } };
  return {
    legend: { show: false },
    padding: [8, 8, 0, 0],
    cursor: { y: false, points: { show: !isStacked(chart) }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-0.6, chart.days.length - 0.4] },
      y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 64,
        // only whole days have a name
        incrs: [1, 2, 5, 7, 14, 30],
        values: (_plot, places) => places.map((place) => shortDayAt(chart, place)),
      },
      {
        ...axis,
        size: 60,
        space: 40,
        grid: { stroke: colours.line, width: 1 },
        values: (_plot, values) => values.map((value) => (value === 0 ? "0" : formatMeasure(chart.measure, value))),
      },
    ],
    series: [{}, ...seriesOptions(chart, colours)],
    hooks: { setCursor: [(plot) => pointAt(plot.cursor.idx ?? undefined)] },
  };
}

function shortDayAt(chart: Chart, place: number): string {
  const day = chart.days[place];
  return day === undefined ? "" : shortDay(day);
}

function seriesOptions(chart: Chart, colours: ChartColours): uPlot.Series[] {
  if (!isStacked(chart))
    return chart.series.map((one, index) => {
      const stroke = colours.series[index] ?? colours.ink;
      return { label: one.name, stroke, width: 2, spanGaps: true, points: { show: true, size: 6, fill: stroke } };
    });
  const bars = uPlot.paths.bars?.({ size: [0.62, 36], radius: 0.12 });
  return chart.series
    .map((one, index) => {
      const fill = colours.series[index] ?? colours.ink;
      return { label: one.name, fill, width: 0, points: { show: false }, ...(bars && { paths: bars }) };
    })
    .toReversed();
}
