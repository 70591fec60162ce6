// Threads for searches: few for all together, started when first needed, kept for the next search, ended when none comes.
// An expression that would never end (ReDoS) holds up its thread only, which is then ended.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { type Beat, newBeatMemory, openBeat } from "./search-beat.ts";
import type { SearchMessage, TaskResult } from "./search-job.ts";

export type SearchThread = {
  beat: Beat;
  send(message: SearchMessage): void;
  /** Whoever has the thread hears its results and its end. */
  listen(listeners: ThreadListeners): void;
};
export type ThreadListeners = { result(result: TaskResult): void; broken(cause: unknown): void };

export type SearchThreads = {
  /** Waits until one is free; undefined when the signal comes first. */
  take(signal: AbortSignal): Promise<SearchThread | undefined>;
  /** One more, if nobody else waits for it. */
  takeMore(): SearchThread | undefined;
  /** Another search waits. */
  isWanted(): boolean;
  /** A thread that is still at work is ended; the others serve the next search. */
  giveBack(thread: SearchThread, isBusy: boolean): Promise<void>;
};

export const mostThreads = Math.min(4, availableParallelism());
// a thread that needs more ends alone
const threadMegabytes = 512;
const deaf: ThreadListeners = { result: () => {}, broken: () => {} };

export function openSearchThreads(deps: { idleMs: number }): SearchThreads {
  const workers = new WeakMap<SearchThread, Worker>();
  const idle = new Map<SearchThread, NodeJS.Timeout>();
  const waiting: (() => void)[] = [];
  let inUse = 0;
  return { take, takeMore, isWanted: () => waiting.length > 0, giveBack };

  async function take(signal: AbortSignal): Promise<SearchThread | undefined> {
    while (inUse >= mostThreads && !signal.aborted) await turn(signal);
    return signal.aborted ? undefined : getReady();
  }

  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(go), 1);
        resolve();
      };
      signal.addEventListener("abort", giveUp, { once: true });
      waiting.push(go);
    });
  }

  function takeMore(): SearchThread | undefined {
    return inUse < mostThreads && waiting.length === 0 ? getReady() : undefined;
  }

  function getReady(): SearchThread {
    inUse++;
    const [next] = idle;
    if (!next) return start();
    const [thread, timer] = next;
    clearTimeout(timer);
    idle.delete(thread);
    workers.get(thread)?.ref();
    return thread;
  }

  async function giveBack(thread: SearchThread, isBusy: boolean): Promise<void> {
    thread.listen(deaf);
    if (isBusy) await end(thread);
    else {
      // waiting threads keep no process alive
      workers.get(thread)?.unref();
      idle.set(thread, setTimeout(() => void end(thread), deps.idleMs).unref());
    }
    inUse--;
    waiting.shift()?.();
  }

  function start(): SearchThread {
    const memory = newBeatMemory();
    const worker = new Worker(new URL("./search-worker.ts", import.meta.url), {
      workerData: memory,
      // what the program was started with is meant for its main file
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: threadMegabytes },
    });
    let listeners = deaf;
    const thread: SearchThread = {
      beat: openBeat(memory),
      send: (message) => worker.postMessage(message),
      listen: (next) => {
        listeners = next;
      },
    };
    workers.set(thread, worker);
    worker.on("message", (result: TaskResult) => listeners.result(result));
    worker.on("error", (cause) => {
      idle.delete(thread);
      listeners.broken(cause);
    });
    return thread;
  }

  async function end(thread: SearchThread): Promise<void> {
    idle.delete(thread);
    await workers.get(thread)?.terminate();
  }
}
