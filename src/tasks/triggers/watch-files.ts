// Files and folders of the workspace that tasks wait for: a change is seen when it happens, or at the next start.
import { type FSWatcher, watch } from "node:fs";
import { lstat } from "node:fs/promises";
import { resolve } from "node:path";
import { fenced } from "../../contract/channel/fenced-data.ts";
import type { Event, EventOf } from "../../contract/event.ts";
import { orIfMissing } from "../../contract/failure.ts";
import type { RoomBase } from "../../contract/room/room-base.ts";
import { taskConversation, taskOf } from "../../contract/task/task.ts";
import { activeTasks, findRun, findTask, openRuns, runsOf, type StoredTask } from "../../store/tasks/tasks.ts";
import { scheduler, type TaskDeps } from "../task-deps.ts";
import { stampOf } from "./file-stamp.ts";
import { beginTriggered } from "./run-wakes.ts";

export type FileWatch = { close(): Promise<void> };

// an editor saves in several steps; one that never rests is looked at all the same
const quietMs = 1_500;
const longestQuietMs = 10_000;
// what a watcher cannot see, such as a folder of another machine, is looked at now and then
const lookAgainMs = 60_000;
// two tasks whose runs change each other's files come to rest; what changes meanwhile waits
const mostInAnHour = 20;
const hourMs = 3_600_000;

type WatchDeps = TaskDeps & Pick<RoomBase, "offered">;

export function watchFiles(deps: WatchDeps): FileWatch {
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Timeout | undefined;
  let changedAtMs: number | undefined;
  let working: Promise<void> = Promise.resolve();
  let isClosed = false;
  const unsubscribe = deps.log.subscribe((events) => {
    for (const event of events) {
      const isOther = event.type === "task.made" || event.type === "task.ended";
      if (isOther || (event.type === "task.changed" && event.stamp === undefined)) look(0);
      // what its own run has changed is no news; what comes while it waits for an answer is
      if (event.type === "turn.waiting") act(() => waits(event));
      if (event.type === "task.settled") act(() => settled(event));
    }
  });
  look(0);
  return {
    async close() {
      isClosed = true;
      unsubscribe();
      clearTimeout(timer);
      clearTimeout(soon);
      for (const watcher of watchers.values()) watcher.close();
      await working;
    },
  };

  async function waits({ conversation, turn }: EventOf<"turn.waiting">): Promise<void> {
    const task = taskOf(conversation);
    if (task !== undefined && (await canHaveChanged(deps, await deps.log.ofTurn(turn)))) await takeAsSeen(deps, task);
  }

  async function settled({ task, run }: EventOf<"task.settled">): Promise<void> {
    if (await isLeftAlone(deps, run)) look(0);
    else await takeAsSeen(deps, task);
  }

  function look(afterMs: number): void {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => act(lookAtAll), afterMs).unref();
  }

  function lookSoon(): void {
    clearTimeout(soon);
    if (isClosed) return;
    changedAtMs ??= performance.now();
    const leftMs = changedAtMs + longestQuietMs - performance.now();
    soon = setTimeout(
      () => {
        changedAtMs = undefined;
        act(lookAtAll);
      },
      Math.max(0, Math.min(quietMs, leftMs)),
    ).unref();
  }

  function act(work: () => Promise<void>): void {
    working = working
      .then(work)
      .catch((cause) => deps.trouble("Files that tasks wait for could not be looked at.", cause));
  }

  async function lookAtAll(): Promise<void> {
    const tasks = await activeTasks(deps.database, "file");
    // armed first: whatever goes wrong with one of them, all are looked at again
    if (tasks.length > 0) look(lookAgainMs);
    const wanted = new Set<string>();
    for (const task of tasks) {
      try {
        const path = pathOf(deps, task);
        // watched before it is looked at: what changes in between is seen by one of the two
        if (!watchers.has(path)) await startWatching(path);
        await lookAtOne(deps, task);
        wanted.add(path);
      } catch (cause) {
        deps.trouble(`What “${task.definition.title}” waits for could not be looked at; it is tried again.`, cause);
      }
    }
    for (const [path, watcher] of watchers) if (!wanted.has(path)) stopWatching(path, watcher);
  }

  async function startWatching(path: string): Promise<void> {
    // one that is not there yet is found by the next look
    if (!(await lstat(path).catch(orIfMissing(undefined)))) return;
    const watcher = watch(path, { persistent: false }, (kind) => {
      // whoever replaces a file leaves the watcher with the old one; the next look watches what is there then
      if (kind === "rename") stopWatching(path, watcher);
      lookSoon();
    });
    watcher.on("error", () => stopWatching(path, watcher));
    watchers.set(path, watcher);
  }

  function stopWatching(path: string, watcher: FSWatcher): void {
    watcher.close();
    watchers.delete(path);
  }
}

function pathOf({ workspace }: TaskDeps, { definition: { trigger } }: StoredTask): string {
  return resolve(workspace, trigger.kind === "file" ? trigger.path : ".");
}

/** Begins a run if it is another than it was. */
async function lookAtOne(deps: TaskDeps, task: StoredTask): Promise<void> {
  const { trigger } = task.definition;
  if (trigger.kind !== "file") return;
  const stamp = await stampOf(deps.workspace, trigger.path);
  if (stamp === task.stamp || (await openRuns(deps.database, task.id)).length > 0) return;
  const runs = await runsOf(deps.database, task.id, mostInAnHour);
  if ((runs[mostInAnHour - 1]?.beganAtMs ?? 0) > deps.world.nowMs() - hourMs) return;
  // the same change is one run; the same state after another one is a further change
  const key = `file:${task.stamp ?? ""}:${stamp}:${runs[0]?.beganSeq ?? 0}`;
  const run = { task: task.id, dueAtMs: deps.world.nowMs(), cause: "file" as const, key, stamp };
  const about = stamp === "" ? `${trigger.path} is gone.` : `${trigger.path} has changed.`;
  await beginTriggered(deps, task, run, { data: fenced(about, ""), labels: [`file:${trigger.path}`] });
}

/** The run has waited for an answer and changed nothing since: whatever is different by now somebody else has changed. */
async function isLeftAlone(deps: WatchDeps, run: string): Promise<boolean> {
  const turn = (await findRun(deps.database, run))?.turn;
  const events = turn === undefined ? [] : await deps.log.ofTurn(turn);
  const waited = events.findLastIndex(({ type }) => type === "turn.waiting");
  return waited >= 0 && !(await canHaveChanged(deps, events.slice(waited + 1)));
}

/** By what its tools are able to do: a command tells of the files it has written, and of none that it has moved away. */
async function canHaveChanged({ offered }: WatchDeps, events: readonly Event[]): Promise<boolean> {
  const called = events.flatMap((event) => (event.type === "tool.returned" ? [event.tool] : []));
  if (called.length === 0) return false;
  const effects = new Map((await offered.tools()).map((tool) => [tool.name, tool.effects]));
  // one that is no longer there may have been able to do anything
  return called.some((tool) =>
    (effects.get(tool) ?? ["changes"]).some((one) => one === "changes" || one === "destroys"),
  );
}

async function takeAsSeen(deps: TaskDeps, id: string): Promise<void> {
  const task = await findTask(deps.database, id);
  if (task?.state === "active" && task.definition.trigger.kind === "file")
    await remember(deps, task, await stampOf(deps.workspace, task.definition.trigger.path));
}

async function remember(deps: TaskDeps, { id, stamp: before }: StoredTask, stamp: string): Promise<void> {
  if (before === stamp) return;
  await deps.log.append([{ type: "task.changed", conversation: taskConversation(id), task: id, stamp, by: scheduler }]);
}
