// The engine of jobs: how fast, how punctual, what it costs while it waits; and whether one more event costs more in a long log.
// STEWARD_BENCH_EVENTS=1e7 makes the longest log longer: about five minutes and 3 GB.
import { median, quantile } from "./measure/figures.ts";
import { benchFolder } from "./measure/folder.ts";
import { type Figure, printReport } from "./measure/report.ts";
import { measureAppends } from "./measure/tasks/append-cost.ts";
import { measureEngineLoad } from "./measure/tasks/engine-load.ts";
import { measureLateness } from "./measure/tasks/lateness.ts";
import { measureSleepingJobs } from "./measure/tasks/sleeping-jobs.ts";

const shortest = 10_000;
const longest = Number(process.env.STEWARD_BENCH_EVENTS ?? 1e6);
if (!(longest >= shortest)) throw new Error("STEWARD_BENCH_EVENTS is the length of the longest log, at least 1e4.");
const sizes = [1e4, 1e5, 1e6, 1e7].filter((events) => events <= longest);

await using folder = await benchFolder();
const load = await measureEngineLoad(folder.path);
const lateness = await measureLateness(folder.path);
const { many, none } = await measureSleepingJobs(folder.path);
const appends = await measureAppends(folder.path, sizes);
printReport([
  {
    what: "jobs started, taken and finished, 8 workers",
    value: load.jobsPerSecond,
    unit: "jobs/s",
    against: { name: "bare inserts", value: load.rowsPerSecond },
    goal: { atLeast: 1_000 },
  },
  {
    what: "one job from start to end, median",
    value: load.jobMs,
    unit: "ms",
    against: { name: "bare insert", value: load.rowMs },
  },
  ...[0.5, 0.99].map((share) => latenessFigure(share)),
  {
    what: "idle with 10,000 sleeping jobs",
    value: many.cpuPercent,
    unit: "% CPU",
    against: { name: "none", value: none.cpuPercent },
    goal: { atMost: 0.5 },
  },
  {
    what: "the same, resident memory",
    value: many.rssMb,
    unit: "MB",
    against: { name: "none", value: none.rssMb },
    goal: { ratioAtMost: 1.1 },
  },
  ...sizes.map(appendFigure),
]);

function latenessFigure(share: number): Figure {
  const name = share === 0.5 ? "median" : "99th of 100";
  const of = (all: readonly number[]) => (share === 0.5 ? median(all) : quantile(all, share));
  return {
    what: `500 delayed jobs, how late, ${name}`,
    value: of(lateness.jobs),
    unit: "ms",
    against: { name: "timers", value: of(lateness.timers) },
  };
}

function appendFigure(events: number): Figure {
  const figure: Figure = {
    what: `one more event, 10^${Math.log10(events)} events`,
    value: appends.get(events) ?? 0,
    unit: "ms",
  };
  if (events === shortest) return figure;
  return { ...figure, against: { name: "10^4", value: appends.get(shortest) ?? 0 }, goal: { ratioAtMost: 1.5 } };
}
