// The program's side of the thread: started with the first question, and again when it ended by itself.
import module from "node:module";
import { Worker } from "node:worker_threads";
import { Failure, reasonOf } from "../../contract/failure.ts";
import type { Conversations, NextWish } from "../sources/conversations.ts";
import type { FromThread, KeptPlace, MethodName, ThreadData, ThreadMethods, ToThread } from "./thread-messages.ts";

export type MemoryThread = {
  ask<Method extends MethodName>(
    method: Method,
    place: KeptPlace,
    parameter: ThreadMethods[Method]["parameter"],
    signal?: AbortSignal,
  ): Promise<ThreadMethods[Method]["answer"]>;
  isRunning(): boolean;
  close(): Promise<void>;
};

export type MemoryThreadDeps = ThreadData & {
  conversations: Conversations;
  trouble(message: string, cause: unknown): void;
};

type Running = { worker: Worker; calls: Map<number, PromiseWithResolvers<unknown>>; unsubscribe(): void };

const megabytes = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 4 };
const closeWithinMs = 2_000;
const brokeOff = "The memory's thread broke off. Ask again; it begins anew.";

export function openMemoryThread(deps: MemoryThreadDeps): MemoryThread {
  let running: Running | undefined;
  let isClosed = false;
  let lastId = 0;
  return {
    isRunning: () => running !== undefined,
    async ask(method, place, parameter, signal) {
      signal?.throwIfAborted();
      if (isClosed) throw new Failure("Steward is closing, so nothing is looked for any more.");
      running ??= start();
      const { worker, calls } = running;
      const id = ++lastId;
      const answered = Promise.withResolvers<unknown>();
      calls.set(id, answered);
      // while somebody waits the process stays
      worker.ref();
      worker.postMessage({ kind: "call", id, method, place, parameter: parameter as never } satisfies ToThread);
      const abort = () => answered.reject(signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      try {
        // the thread answers with what its method returns
        return (await answered.promise) as never;
      } finally {
        signal?.removeEventListener("abort", abort);
        calls.delete(id);
        if (calls.size === 0) worker.unref();
      }
    },
    async close() {
      isClosed = true;
      const last = running;
      if (!last) return;
      last.unsubscribe();
      const ended = new Promise((resolve) => last.worker.once("exit", resolve));
      last.worker.postMessage({ kind: "close" } satisfies ToThread);
      // an index can be made again, so that nothing is lost when it does not end in order
      const timer = setTimeout(() => void last.worker.terminate(), closeWithinMs);
      await ended;
      clearTimeout(timer);
    },
  };

  function start(): Running {
    const { indexFolder, settings, environment, storedKeys, conversations } = deps;
    module.getCompileCacheDir();
    const worker = new Worker(new URL("./memory-thread.ts", import.meta.url), {
      workerData: { indexFolder, settings, environment, storedKeys } satisfies ThreadData,
      // what the program was started with is meant for its main file
      execArgv: [],
      resourceLimits: megabytes,
    });
    const unsubscribe = conversations.subscribe(() => worker.postMessage({ kind: "news" } satisfies ToThread));
    const started: Running = { worker, calls: new Map(), unsubscribe };
    worker.on("message", (message: FromThread) => receive(started, message));
    worker.on("error", (cause) => end(started, cause));
    worker.on("exit", () => end(started, new Failure(brokeOff)));
    worker.unref();
    return started;
  }

  function receive({ worker, calls }: Running, message: FromThread): void {
    switch (message.kind) {
      case "answer":
        calls.get(message.id)?.resolve(message.value);
        break;
      case "failed":
        calls.get(message.id)?.reject(new Failure(`Memory: ${message.reason}`));
        break;
      case "next conversations":
        void handOn(worker, message.id, message.wish);
        break;
      case "trouble":
        deps.trouble(`Memory: ${message.message}`, undefined);
        break;
      default:
        message satisfies never;
    }
  }

  async function handOn(worker: Worker, id: number, wish: NextWish): Promise<void> {
    const told = await deps.conversations.next(wish).then(
      (next): ToThread => ({ kind: "conversations", id, next }),
      (cause): ToThread => ({ kind: "conversations failed", id, reason: reasonOf(cause) }),
    );
    worker.postMessage(told);
  }

  function end(ended: Running, cause: unknown): void {
    if (running !== ended) return;
    running = undefined;
    ended.unsubscribe();
    if (!isClosed) deps.trouble("The memory's thread broke off and begins anew with the next question.", cause);
    for (const { reject } of ended.calls.values()) reject(new Failure(brokeOff, { cause }));
  }
}
