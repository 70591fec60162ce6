// Tasks in the whole program and the engine below them: how fast, how punctual, what they cost while they wait; and whether one more
// event costs more in a long log.
// STEWARD_BENCH_EVENTS=1e7 makes the longest log longer: about five minutes and 3 GB.
import { median, quantile } from "./measure/figures.ts";
import { benchFolder } from "./measure/folder.ts";
import { type Figure, printReport } from "./measure/report.ts";
import { measureAppends } from "./measure/tasks/append-cost.ts";
import { measureEngineLoad } from "./measure/tasks/engine-load.ts";
import { measureLateness } from "./measure/tasks/lateness.ts";
import { measureReminders } from "./measure/tasks/reminders.ts";
import { measureSleepingTasks } from "./measure/tasks/sleeping-tasks.ts";

const shortest = 10_000;
const longest = Number(process.env.STEWARD_BENCH_EVENTS ?? 1e6);
if (!(longest >= shortest)) throw new Error("STEWARD_BENCH_EVENTS is the length of the longest log, at least 1e4.");
const sizes = [1e4, 1e5, 1e6, 1e7].filter((events) => events <= longest);

await using folder = await benchFolder();
const load = await measureEngineLoad(folder.path);
const lateness = await measureLateness(folder.path);
const reminders = await measureReminders(folder.path);
const { many, none } = await measureSleepingTasks(folder.path);
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
  {
    what: "reminders said when 500 are due at once",
    value: reminders.perSecond,
    unit: "tasks/s",
    against: { name: "bare inserts", value: load.rowsPerSecond },
  },
  ...[0.5, 0.99].flatMap((share) => [
    lateFigure("500 delayed jobs", lateness.jobs, share),
    lateFigure("300 reminders of the whole program", reminders.lateMs, share),
  ]),
  {
    what: "daemon with 10,000 sleeping tasks",
    value: many.cpuPercent,
    unit: "% CPU",
    against: { name: "none", value: none.cpuPercent },
    goal: { atMost: 0.5 },
  },
  {
    what: "the same, resident memory beyond that without any",
    value: many.rssMb - none.rssMb,
    unit: "MB",
    against: { name: "none", value: none.rssMb },
    goal: { atMost: 20 },
  },
  {
    what: "the same, ready",
    value: many.readyMs,
    unit: "ms",
    against: { name: "none", value: none.readyMs },
  },
  ...sizes.map(appendFigure),
]);

function lateFigure(what: string, all: readonly number[], share: number): Figure {
  const of = (times: readonly number[]) => (share === 0.5 ? median(times) : quantile(times, share));
  return {
    what: `${what}, how late, ${share === 0.5 ? "median" : "99th of 100"}`,
    value: of(all),
    unit: "ms",
    against: { name: "timers", value: of(lateness.timers) },
    ...(share > 0.5 && { goal: { atMost: 50 } }),
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
