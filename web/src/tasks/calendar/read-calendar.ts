// What a month holds: the runs there were, and the times to come.
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import type { PlannedTask } from "../../../../src/contract/wire/methods/tasks.ts";
import type { GatewayLink } from "../../gateway/gateway-link.ts";
import { load } from "../../settings/loading.ts";
import { plainWhen } from "../task-words.ts";
import { type DueTime, type Month, monthGrid, stretchOf } from "./month-grid.ts";

export type CalendarMonth = {
  times: readonly DueTime[];
  /** By task, how often it comes: "every minute". */
  when: ReadonlyMap<string, string>;
};

type Link = Pick<GatewayLink, "call">;
type Stretch = { fromMs: number; untilMs: number };

const mostTasks = 500;
/** Of so many tasks the runs are looked up, those that ran last. */
const mostLookedUp = 40;
const mostRuns = 200;

export async function readCalendar(link: Link, month: Month, nowMs: number): Promise<CalendarMonth> {
  const stretch = stretchOf(month);
  const [planned, list] = await Promise.all([
    link.call("tasks.calendar", stretch),
    load(() => link.call("tasks.list", { ended: true, limit: mostTasks })),
  ]);
  const tasks = list.state === "ready" ? list.value.tasks : [];
  const [coming, past] = await Promise.all([
    planned.more ? readByDay(link, month, nowMs) : planned.times,
    readRuns(link, tasks, stretch, nowMs),
  ]);
  return { times: [...past, ...coming], when: new Map(tasks.map(({ id, when }) => [id, plainWhen(when)])) };
}

// what comes every minute fills the answer for a month with its first hours, that for a day with one line
async function readByDay(link: Link, month: Month, nowMs: number): Promise<readonly DueTime[]> {
  const days = monthGrid(month).flat();
  const stretches = days.map((day, at) => ({
    fromMs: day.startMs,
    untilMs: (days[at + 1]?.startMs ?? stretchOf(month).untilMs) - 1,
  }));
  const answers = stretches
    .filter(({ untilMs }) => untilMs >= nowMs)
    .map((stretch): Promise<MethodResult<"tasks.calendar">> => link.call("tasks.calendar", stretch));
  return (await Promise.all(answers)).flatMap(({ times }) => times);
}

// without them the days before today are empty, and the rest is as it is
async function readRuns(
  link: Link,
  tasks: readonly PlannedTask[],
  { fromMs, untilMs }: Stretch,
  nowMs: number,
): Promise<readonly DueTime[]> {
  if (fromMs > nowMs) return [];
  const lastAt = ({ lastRun }: PlannedTask) => lastRun?.dueAtMs ?? 0;
  const ran = tasks.filter((task) => lastAt(task) >= fromMs).sort((one, other) => lastAt(other) - lastAt(one));
  const histories = await Promise.all(
    ran.slice(0, mostLookedUp).map(({ id }) => load(() => link.call("tasks.history", { id, limit: mostRuns }))),
  );
  return histories.flatMap((history) => {
    if (history.state === "failed") return [];
    const { task, runs } = history.value;
    const shown = runs.filter(({ dueAtMs }) => dueAtMs >= fromMs && dueAtMs < untilMs && dueAtMs <= nowMs);
    return shown.map(({ dueAtMs, state }) => ({ task: task.id, title: task.title, atMs: dueAtMs, ran: state }));
  });
}
