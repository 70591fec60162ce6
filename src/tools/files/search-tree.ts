// Searches a tree of folders in threads of its own: however slow a pattern is, the rest of Steward goes on.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { type Beat, newBeatMemory, openBeat } from "./search-beat.ts";
import type { SearchJob, SearchTask, TaskResult, WorkerStart } from "./search-job.ts";

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

type Thread = {
  worker: Worker;
  beat: Beat;
  isBusy: boolean;
  lastCount: number;
  movedAtMs: number;
};

export const usualLimits: SearchLimits = { stuckAfterMs: 3000, deadlineMs: 60_000 };
const mostThreads = Math.min(4, availableParallelism());
const mostTasksAtOnce = 8;
const watchEveryMs = 100;
// a thread that runs out of it ends alone
const threadMegabytes = 512;

/** `take` gets each result as it comes and answers whether more is wanted. */
export async function searchTree(
  limits: SearchLimits,
  job: SearchJob,
  first: SearchTask,
  take: (result: TaskResult) => boolean,
  signal: AbortSignal,
): Promise<SearchEnding> {
  const threads: Thread[] = [];
  const waiting: SearchTask[] = [first];
  const { promise: ended, resolve: end } = Promise.withResolvers<SearchEnding>();
  const stop = () => end({ kind: "stopped" });
  const deadline = setTimeout(() => end({ kind: "deadline" }), limits.deadlineMs);
  const watch = setInterval(lookForStuck, watchEveryMs);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  else handOut();
  const ending = await ended;
  clearTimeout(deadline);
  clearInterval(watch);
  signal.removeEventListener("abort", stop);
  await Promise.all(threads.map(({ worker }) => worker.terminate()));
  return ending;

  function handOut(): void {
    while (waiting.length > 0) {
      const idle = threads.find((thread) => !thread.isBusy) ?? startThread();
      if (!idle) return;
      const share = Math.ceil(waiting.length / (mostThreads * 2));
      idle.isBusy = true;
      idle.movedAtMs = performance.now();
      idle.worker.postMessage(waiting.splice(-Math.min(share, mostTasksAtOnce)));
    }
    if (threads.every((thread) => !thread.isBusy)) end({ kind: "complete" });
  }

  function startThread(): Thread | undefined {
    if (threads.length >= mostThreads) return undefined;
    const start: WorkerStart = { job, beat: newBeatMemory() };
    const worker = new Worker(new URL("search-worker.ts", import.meta.url), {
      workerData: start,
      resourceLimits: { maxOldGenerationSizeMb: threadMegabytes },
    });
    const thread = { worker, beat: openBeat(start.beat), isBusy: false, lastCount: 0, movedAtMs: 0 };
    worker.on("message", (result: TaskResult) => {
      thread.isBusy = false;
      waiting.push(...result.tasks);
      if (take(result)) handOut();
      else end({ kind: "enough" });
    });
    worker.on("error", (cause) => end({ kind: "broken", cause }));
    threads.push(thread);
    return thread;
  }

  function lookForStuck(): void {
    const nowMs = performance.now();
    for (const thread of threads.filter(({ isBusy }) => isBusy)) {
      const { count, path } = thread.beat.read();
      if (count !== thread.lastCount) {
        thread.lastCount = count;
        thread.movedAtMs = nowMs;
      } else if (nowMs - thread.movedAtMs > limits.stuckAfterMs) end({ kind: "stuck", path });
    }
  }
}
