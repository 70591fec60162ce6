// Searches a tree of folders in threads of its own: however slow a pattern is, the rest of Steward goes on.
import { quoteName } from "../paths/escape-text.ts";
import type { SearchJob, SearchTask, TaskResult } from "./threads/search-job.ts";
import { mostThreads, type SearchThread, type SearchThreads } from "./threads/search-threads.ts";

export type SearchLimits = {
  /** How long one stretch of one file may take. */
  stuckAfterMs: number;
  deadlineMs: number;
};
export type SearchEnding =
  | { kind: "complete" }
  | { kind: "enough" }
  | { kind: "stopped" }
  | { kind: "deadline" }
  | { kind: "stuck"; path: string }
  | { kind: "broken"; cause: unknown };

/** A thread at work on this search. */
type SearchWorker = { thread: SearchThread; isBusy: boolean; lastCount: number; movedAtMs: number };

export const usualLimits: SearchLimits = { stuckAfterMs: 3000, deadlineMs: 60_000 };
const mostTasksAtOnce = 8;
const watchEveryMs = 100;

export type SearchDeps = { threads: SearchThreads; limits: SearchLimits };

/** `take` gets each result as it comes and answers whether more is wanted. */
export async function searchTree(
  deps: SearchDeps,
  job: SearchJob,
  first: SearchTask,
  take: (result: TaskResult) => boolean,
  signal: AbortSignal,
): Promise<SearchEnding> {
  const firstThread = await deps.threads.take(signal);
  if (!firstThread) return { kind: "stopped" };
  const workers: SearchWorker[] = [];
  const released: Promise<void>[] = [];
  const waiting: SearchTask[] = [first];
  const { promise: ended, resolve: end } = Promise.withResolvers<SearchEnding>();
  const stop = () => end({ kind: "stopped" });
  const deadline = setTimeout(() => end({ kind: "deadline" }), deps.limits.deadlineMs);
  const watch = setInterval(lookForStuck, watchEveryMs);
  signal.addEventListener("abort", stop, { once: true });
  takeOn(firstThread);
  handOut();
  const ending = await ended;
  clearTimeout(deadline);
  clearInterval(watch);
  signal.removeEventListener("abort", stop);
  for (const worker of [...workers]) letGo(worker);
  await Promise.all(released);
  return ending;

  function takeOn(thread: SearchThread): SearchWorker {
    const worker: SearchWorker = { thread, isBusy: false, lastCount: thread.beat.read().count, movedAtMs: 0 };
    thread.listen({
      result(result) {
        worker.isBusy = false;
        waiting.push(...result.tasks);
        if (!take(result)) end({ kind: "enough" });
        else {
          if (deps.threads.isWanted() && workers.length > 1) letGo(worker);
          handOut();
        }
      },
      broken(cause) {
        worker.isBusy = true;
        end({ kind: "broken", cause });
      },
    });
    thread.send({ job });
    workers.push(worker);
    return worker;
  }

  function letGo(worker: SearchWorker): void {
    workers.splice(workers.indexOf(worker), 1);
    released.push(deps.threads.giveBack(worker.thread, worker.isBusy));
  }

  function handOut(): void {
    while (waiting.length > 0) {
      const idle = workers.find((worker) => !worker.isBusy) ?? takeOnMore();
      if (!idle) return;
      const share = Math.ceil(waiting.length / (mostThreads * 2));
      idle.isBusy = true;
      idle.movedAtMs = performance.now();
      idle.thread.send({ tasks: waiting.splice(-Math.min(share, mostTasksAtOnce)) });
    }
    if (workers.every((worker) => !worker.isBusy)) end({ kind: "complete" });
  }

  function takeOnMore(): SearchWorker | undefined {
    const thread = deps.threads.takeMore();
    return thread && takeOn(thread);
  }

  function lookForStuck(): void {
    const nowMs = performance.now();
    for (const worker of workers.filter(({ isBusy }) => isBusy)) {
      const { count, path } = worker.thread.beat.read();
      // a thread that has not begun yet may have to wait for the machine, not for the pattern
      if (count !== worker.lastCount || count === 0) {
        worker.lastCount = count;
        worker.movedAtMs = nowMs;
      } else if (nowMs - worker.movedAtMs > deps.limits.stuckAfterMs) end({ kind: "stuck", path });
    }
  }
}

/** Why a search did not see everything; undefined when it did. */
export function cutShort(ending: SearchEnding): string | undefined {
  switch (ending.kind) {
    case "complete":
    case "enough":
      return undefined;
    case "stopped":
      return "The search was stopped.";
    case "deadline":
      return "The search took too long and was ended before it had seen everything: name a folder below.";
    case "stuck":
      return `The pattern took too long in ${quoteName(ending.path)}, so the search was ended there: write it without nested repeats such as (a+)+.`;
    case "broken":
      return `The search broke: ${ending.cause instanceof Error ? ending.cause.message : String(ending.cause)}.`;
    default:
      return ending satisfies never;
  }
}
