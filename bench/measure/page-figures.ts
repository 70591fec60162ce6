// What a page costs its browser while something happens on it: the main thread's time, its longest task, what moved.
import type { Browser, Page } from "playwright-core";
import { z } from "zod";

export type PageFigures = { scriptMs: number; taskMs: number; longestTaskMs: number; layoutShift: number };

const Metrics = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) });
const Trace = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      ph: z.string(),
      pid: z.number(),
      tid: z.number(),
      dur: z.number().optional(),
      args: z.unknown(),
    }),
  ),
});
type TraceEvent = z.infer<typeof Trace>["traceEvents"][number];

// written as text, because it runs in the page; what follows at once on a person's own doing is no fault
const watchShifts = `window.stewardShift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.stewardShift += entry.value;
}).observe({ type: "layout-shift" });`;

export async function measurePage(browser: Browser, page: Page, act: () => Promise<void>): Promise<PageFigures> {
  const session = await page.context().newCDPSession(page);
  const seconds = async () => {
    const { metrics } = Metrics.parse(await session.send("Performance.getMetrics"));
    return (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  };
  await session.send("Performance.enable");
  await page.evaluate(watchShifts);
  const before = await seconds();
  await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline", "__metadata"] });
  await act();
  const trace = Trace.parse(JSON.parse(String(await browser.stopTracing())));
  const after = await seconds();
  const grownMs = (name: string) => (after(name) - before(name)) * 1000;
  const layoutShift = Number(await page.evaluate("window.stewardShift"));
  await session.detach();
  return {
    scriptMs: grownMs("ScriptDuration"),
    taskMs: grownMs("TaskDuration"),
    longestTaskMs: longestTask(trace.traceEvents),
    layoutShift,
  };
}

/** The page's own thread is the busiest of those that draw pages. */
function longestTask(events: readonly TraceEvent[]): number {
  const main = new Set(
    events
      .filter((event) => event.name === "thread_name" && /CrRendererMain/.test(JSON.stringify(event.args)))
      .map(threadOf),
  );
  const durations = events.flatMap((event) =>
    event.name === "RunTask" && event.dur !== undefined && main.has(threadOf(event)) ? [event.dur / 1000] : [],
  );
  if (durations.length === 0) throw new Error("The browser told of no tasks.");
  return Math.max(...durations);
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${pid}/${tid}`;
}
