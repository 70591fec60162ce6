// Threads for searches: few for all together, started when first needed, kept for the next search, ended when none comes.
// However slow a pattern is, the rest of Steward goes on: one that would never end (ReDoS) holds up its thread only, which
// is then ended.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { reasonOf } from "../../../contract/failure.ts";
import { quoteName } from "../../paths/escape-text.ts";
import { type Beat, newBeatMemory, openBeat } from "./search-beat.ts";
import type { SearchJob, SearchMessage, SearchTask, TaskResult } from "./search-job.ts";

/** `short`: why a search did not see everything; `isLost`: what it found is not to be shown either. */
type SearchEnding = { short?: string; isLost?: true };

/** `take` gets each result as it comes and answers whether more is wanted. */
export type SearchInThreads = (
  job: SearchJob,
  first: SearchTask,
  take: (result: TaskResult) => boolean,
  signal: AbortSignal,
) => Promise<SearchEnding>;

type Search = {
  job: SearchJob;
  waiting: SearchTask[];
  take(result: TaskResult): boolean;
  end(ending: SearchEnding): void;
};
/** `search`: what it is at work on; `count` moved last at `movedAtMs`. */
type Thread = {
  worker: Worker;
  beat: Beat;
  search: Search | undefined;
  idle?: NodeJS.Timeout;
  count: number;
  movedAtMs: number;
};

const tookTooLong = "The search took too long and was ended before it had seen everything: name a folder below.";
const stopped: SearchEnding = { short: "The search was stopped.", isLost: true };
const mostThreads = Math.min(4, availableParallelism());
const mostTasksAtOnce = 8;
const watchEveryMs = 100;
// a thread that needs more ends alone
const threadMegabytes = 512;

/** `stuckAfterMs`: how long one stretch of one file may take. */
export function openSearchThreads(deps: {
  idleMs: number;
  stuckAfterMs?: number;
  deadlineMs?: number;
}): SearchInThreads {
  const { idleMs, stuckAfterMs = 3000, deadlineMs = 60_000 } = deps;
  const threads = new Set<Thread>();
  // the one that was served last stands last
  const searches = new Set<Search>();
  return async (job, first, take, signal) => {
    if (signal.aborted) return stopped;
    const { promise: ended, resolve } = Promise.withResolvers<SearchEnding>();
    const own: Search = { job, waiting: [first], take, end: resolve };
    const stop = () => resolve(stopped);
    const deadline = setTimeout(resolve, deadlineMs, { short: tookTooLong });
    const watch = setInterval(() => lookForStuck(own), watchEveryMs);
    signal.addEventListener("abort", stop, { once: true });
    searches.add(own);
    handOut();
    const ending = await ended;
    clearTimeout(deadline);
    clearInterval(watch);
    signal.removeEventListener("abort", stop);
    searches.delete(own);
    await Promise.all(threadsOf(own).map(end));
    handOut();
    return ending;
  };

  function threadsOf(search: Search | undefined): Thread[] {
    return [...threads].filter((thread) => thread.search === search);
  }

  function handOut(): void {
    for (;;) {
      const next = [...searches].find(({ waiting }) => waiting.length > 0);
      const thread = next && (threadsOf(undefined)[0] ?? (threads.size < mostThreads ? start() : undefined));
      if (!thread) return;
      searches.delete(next);
      searches.add(next);
      clearTimeout(thread.idle);
      thread.worker.ref();
      thread.search = next;
      thread.movedAtMs = performance.now();
      const share = Math.ceil(next.waiting.length / (mostThreads * 2));
      const tasks = next.waiting.splice(-Math.min(share, mostTasksAtOnce));
      thread.worker.postMessage({ job: next.job, tasks } satisfies SearchMessage);
    }
  }

  function start(): Thread {
    const memory = newBeatMemory();
    const worker = new Worker(new URL("./search-worker.ts", import.meta.url), {
      workerData: memory,
      // what the program was started with is meant for its main file
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: threadMegabytes },
    });
    const thread: Thread = { worker, beat: openBeat(memory), search: undefined, count: 0, movedAtMs: 0 };
    threads.add(thread);
    worker.on("message", (result: TaskResult) => receive(thread, result));
    worker.on("error", (cause) => {
      threads.delete(thread);
      thread.search?.end({ short: `The search broke: ${reasonOf(cause)}.`, isLost: true });
    });
    return thread;
  }

  function receive(thread: Thread, result: TaskResult): void {
    const { search, worker } = thread;
    // it is just being ended
    if (!search || !searches.has(search)) return;
    thread.search = undefined;
    // waiting threads keep no process alive
    worker.unref();
    thread.idle = setTimeout(() => {
      threads.delete(thread);
      void worker.terminate();
    }, idleMs).unref();
    search.waiting.push(...result.tasks);
    if (search.take(result)) handOut();
    else search.end({});
    if (search.waiting.length === 0 && threadsOf(search).length === 0) search.end({});
  }

  function lookForStuck(search: Search): void {
    const nowMs = performance.now();
    for (const thread of threadsOf(search)) {
      const { count, path } = thread.beat.read();
      // a thread that has not begun yet may have to wait for the machine, not for the pattern
      if (count !== thread.count || count === 0) {
        thread.count = count;
        thread.movedAtMs = nowMs;
      } else if (nowMs - thread.movedAtMs > stuckAfterMs) search.end({ short: stuckIn(path) });
    }
  }

  async function end(thread: Thread): Promise<void> {
    await thread.worker.terminate();
    threads.delete(thread);
  }
}

function stuckIn(path: string): string {
  return `The pattern took too long in ${quoteName(path)}, so the search was ended there: write it without nested repeats such as (a+)+.`;
}
