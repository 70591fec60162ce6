import { Worker } from "node:worker_threads";
import type { BytePath } from "./byte-path.ts";
import type { FoundName } from "./name-index.ts";
import type { Lost, WatchAnswer, WatchedBox, WatchRequest } from "./watch-thread.ts";

export type NameWatch = {
  /** Every protected name in a workspace at this moment. */
  look(workspace: string): Promise<readonly FoundName[]>;
  /** From now on `onLost` is told, once, when the box could reach something that it must not. */
  begin(box: Omit<WatchedBox, "box">, onLost: (lost: Lost) => void): BoxWatch;
  close(): Promise<void>;
};

export type BoxWatch = {
  /** True: all that the box has done until now it did while everything was kept from it. */
  isClear(): Promise<boolean>;
  /** Called when nothing of it runs any more, and before stand-ins go. */
  end(): Promise<WatchEnd>;
};

export type WatchEnd = {
  /** Every protected name at this moment. */
  found: readonly FoundName[];
  /** What was changed after it had come in the place of something kept. */
  touched: readonly BytePath[];
  lost?: Lost | undefined;
};

type Wanted = WatchRequest extends infer One ? (One extends { request: number } ? Omit<One, "request"> : never) : never;
type Pending = { resolve(answer: WatchAnswer): void; reject(error: Error): void };

const closedWords = "Steward is closing, so protected names are no longer watched.";
export const unwatched: Lost = { path: "", how: "unknown" };

/** One thread for all workspaces, started with the first look. */
export function openWatchInThread(): NameWatch {
  const pending = new Map<number, Pending>();
  const boxes = new Map<number, (lost: Lost) => void>();
  let worker: Worker | undefined;
  let counter = 0;
  let isClosed = false;
  return { look, begin, close };

  async function look(workspace: string): Promise<readonly FoundName[]> {
    return foundIn(await ask({ kind: "look", workspace }));
  }

  function begin(watched: Omit<WatchedBox, "box">, onLost: (lost: Lost) => void): BoxWatch {
    const box = ++counter;
    boxes.set(box, onLost);
    if (isClosed) onLost(unwatched);
    // not waited for: whatever is replaced before it is heard is known by its number
    else running().postMessage({ kind: "begin", box, ...watched } satisfies WatchRequest);
    return { isClear, end };

    async function isClear(): Promise<boolean> {
      const { lost } = await ask({ kind: "check", box });
      return lost === undefined;
    }

    async function end(): Promise<WatchEnd> {
      boxes.delete(box);
      const answer = await ask({ kind: "end", box });
      return { found: foundIn(answer), touched: answer.touched ?? [], lost: answer.lost };
    }
  }

  function ask(wanted: Wanted): Promise<WatchAnswer> {
    if (isClosed) return Promise.reject(new Error(closedWords));
    const request = ++counter;
    const { promise, resolve, reject } = Promise.withResolvers<WatchAnswer>();
    pending.set(request, { resolve, reject });
    running().postMessage({ ...wanted, request } satisfies WatchRequest);
    return promise;
  }

  function running(): Worker {
    worker ??= start();
    worker.ref();
    return worker;
  }

  function start(): Worker {
    const started = new Worker(new URL("./watch-thread.ts", import.meta.url), { env: {}, stdin: false });
    started.on("message", hear);
    // without it nothing is known of any workspace: what is asked fails, what runs is ended, and the next starts another
    started.on("error", (error: Error) => fail(started, error));
    started.on("exit", () => fail(started, new Error("the watch over protected names has ended")));
    return started;
  }

  function fail(failed: Worker, error: Error): void {
    if (worker !== failed) return;
    worker = undefined;
    for (const { reject } of pending.values()) reject(error);
    for (const onLost of boxes.values()) onLost(unwatched);
    pending.clear();
    boxes.clear();
  }

  function hear(answer: WatchAnswer): void {
    if (answer.box !== undefined) boxes.get(answer.box)?.(answer.lost ?? unwatched);
    if (answer.request === undefined) return;
    const asked = pending.get(answer.request);
    pending.delete(answer.request);
    if (answer.failed === undefined) asked?.resolve(answer);
    else asked?.reject(new Error(answer.failed));
    rest();
  }

  /** With nothing to wait for it is no reason to go on running. */
  function rest(): void {
    if (pending.size === 0 && boxes.size === 0) worker?.unref();
  }

  async function close(): Promise<void> {
    isClosed = true;
    const ending = worker;
    if (!ending) return;
    // whoever still waits would wait for ever
    fail(ending, new Error(closedWords));
    // else there would be nothing left to wait for its end
    ending.ref();
    await ending.terminate();
  }
}

function foundIn({ found }: WatchAnswer): readonly FoundName[] {
  if (!found) throw new Error("the watch over protected names did not answer");
  return found;
}
