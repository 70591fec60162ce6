// One memory as the thread keeps it: its index, what it is made of, and how it stays true. Whatever fails, a search answers with what
// there is, and says what it may not have seen.
import { statSync } from "node:fs";
import { join } from "node:path";
import { Failure, reasonOf } from "../../contract/failure.ts";
import type { MemoryFind, MemoryPlace } from "../../contract/memory/memory-place.ts";
import type { MemorySettings } from "../../contract/memory/memory-settings.ts";
import { EmbedderFailure } from "../embed/embedder.ts";
import { type IndexFile, isBroken, isFull, openIndexFile, removeIndexFile } from "../index/index-file.ts";
import { type Index, loadIndex } from "../index/open-index.ts";
import { searchIndex } from "../search/search-index.ts";
import { watchMemoryFiles } from "../sources/watch-files.ts";
import type { KeptPlace, KeptStatus, NextConversations, SearchWish } from "../thread/thread-messages.ts";
import type { Embedders } from "./embedders.ts";
import { type ConversationSync, openConversationSync } from "./sync-conversations.ts";
import { type FileSync, openFileSync } from "./sync-files.ts";
import { readPlaces, toFinds } from "./to-finds.ts";
import { openVectorKeeper, type VectorKeeper } from "./vector-keeper.ts";

export type KeptMemory = {
  search(wish: SearchWish): Promise<{ finds: readonly MemoryFind[]; note?: string }>;
  read(places: readonly MemoryPlace[]): Promise<readonly (MemoryFind | undefined)[]>;
  status(): Promise<KeptStatus>;
  reindex(): Promise<KeptStatus>;
  /** Reads all that is new, and leaves no byte of what went. */
  catchUp(): Promise<null>;
  /** Something new was said. */
  hear(): void;
  close(): Promise<void>;
};

export type KeptDeps = {
  indexFolder: string;
  settings: MemorySettings;
  embedders: Embedders;
  nextConversations(after: number): Promise<NextConversations>;
  trouble(message: string): void;
  /** How long a search waits for what is new to be read. */
  waitMs?: number;
};

type Opened = {
  index: Index;
  keeper: VectorKeeper;
  files: FileSync;
  conversations: ConversationSync;
  /** Which file it is; undefined: it is held in memory. */
  inode: bigint | undefined;
};

const usualWaitMs = 1_500;
const stretchMs = 100;
const settleMs = 300;
const forgiveAfterMs = 30_000;

export function openKeptMemory(deps: KeptDeps, place: KeptPlace): KeptMemory {
  const path = join(deps.indexFolder, `${place.key}.db`);
  const waitMs = deps.waitMs ?? usualWaitMs;
  let opened: Opened | undefined;
  let watching: { close(): void } | undefined;
  let timer: { atMs: number; handle: NodeJS.Timeout } | undefined;
  let isMaking = false;
  let isClosed = false;
  let isWhole = false;
  // what is wrong at the moment, by what it keeps from being done
  const wrong = new Map<"index" | "reading" | "vectors", string>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    search: (wish) => inTurn(() => search(wish)),
    read: (places) => inTurn(async () => readPlaces((await upToDate()).index, places)),
    status: () => inTurn(async () => statusOf(open())),
    reindex: () =>
      inTurn(async () => {
        throwAway();
        wrong.clear();
        return statusOf(await upToDate());
      }),
    catchUp: () =>
      inTurn(async () => {
        open().files.look();
        // an index that cannot be brought to forget is thrown away
        if (!(await readOn(Number.POSITIVE_INFINITY)) || wrong.has("reading")) throwAway();
        else open().index.file.run("PRAGMA wal_checkpoint(TRUNCATE)");
        return null;
      }),
    hear: () => soon(settleMs),
    async close() {
      isClosed = true;
      clearTimeout(timer?.handle);
      watching?.close();
      await last.catch(() => undefined);
      opened?.index.file.close();
    },
  };

  /** One thing at a time, so that nothing sees an index that is being changed. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(() => {
      if (isClosed) throw new Failure("This memory is closed.");
      return work();
    });
    // whoever asked is told; the next one begins all the same
    last = result.catch(() => undefined);
    return result;
  }

  async function search({ query, most, maxTokens }: SearchWish) {
    let { index, keeper } = await upToDate();
    const vector = await keeper
      .questionVector(query)
      .catch((cause) => note("vectors", `Searched by words only. ${reasonOf(cause)}`));
    const using = { ...(await deps.embedders.searching()), settings: deps.settings.search };
    const find = () => toFinds(index, searchIndex(using, index, { query, vector, most, maxTokens }));
    let finds: readonly MemoryFind[];
    try {
      finds = find();
    } catch (cause) {
      if (!isBroken(cause)) throw cause;
      throwAway("The index was damaged and is made again.");
      ({ index, keeper } = await upToDate());
      finds = find();
    }
    const notes = [
      ...wrong.values(),
      ...(isWhole ? [] : ["What is new is still being read, so something may be missing."]),
    ];
    return { finds, ...(notes.length > 0 && { note: notes.join(" ") }) };
  }

  /** With everything that can be read in a moment; the rest is read in between. */
  async function upToDate(): Promise<Opened> {
    const now = open();
    now.files.lookIfCheap();
    isWhole = await readOn(performance.now() + waitMs);
    if (!isWhole) soon(0);
    return open();
  }

  /** False: there is more to read. */
  async function readOn(untilMs: number): Promise<boolean> {
    try {
      do {
        const { files, conversations, keeper } = open();
        const isMore = (await files.next()) || (await conversations.next());
        wrong.delete("reading");
        if (!isMore) {
          if (keeper.isBehind()) makeVectors();
          return true;
        }
      } while (performance.now() < untilMs && !isClosed);
      return false;
    } catch (cause) {
      if (isBroken(cause)) throwAway("The index was damaged and is made again.");
      else if (isFull(cause)) note("reading", "The disk is full, so what is new is not found yet. Make room on it.");
      else note("reading", `What is new could not be read: ${reasonOf(cause)}.`);
      return !isBroken(cause);
    }
  }

  /** Beside everything else: a server may take its time, and only what changes the index is done in turn. */
  function makeVectors(): void {
    if (isMaking) return;
    isMaking = true;
    void makeAll().finally(() => {
      isMaking = false;
    });
  }

  async function makeAll(): Promise<void> {
    try {
      for (let isMore = true; isMore && !isClosed; ) {
        const now = await inTurn(async () => open());
        isMore = await now.keeper.makeNext((work) => inTurn(async () => withinIndex(now, work)));
        wrong.delete("vectors");
      }
    } catch (cause) {
      if (cause instanceof EmbedderFailure) {
        note("vectors", `${cause.message} Until then what serves is what there was before.`);
        soon(forgiveAfterMs);
      } else if (!isClosed) note("vectors", `New texts are found by their words only: ${reasonOf(cause)}.`);
    }
  }

  function withinIndex<Result>(of: Opened, work: () => Result): Result {
    if (opened !== of) throw new Error("the index was made anew");
    return work();
  }

  /** The sooner of two wishes counts. */
  function soon(afterMs: number): void {
    const atMs = performance.now() + afterMs;
    if (isClosed || !opened || (timer && timer.atMs <= atMs)) return;
    clearTimeout(timer?.handle);
    timer = { atMs, handle: setTimeout(() => void readInBetween(), afterMs).unref() };
  }

  async function readInBetween(): Promise<void> {
    timer = undefined;
    await inTurn(async () => {
      isWhole = await readOn(performance.now() + stretchMs);
      if (!isWhole) soon(0);
      // closed meanwhile: there is nothing to read for
    }).catch(() => undefined);
  }

  function open(): Opened {
    if (opened && opened.inode !== undefined && opened.inode !== inodeOf(path))
      throwAway("The index file was gone and is made again.");
    opened ??= openAnew();
    watching ??= watchMemoryFiles(place.files, () => {
      opened?.files.look();
      soon(0);
    });
    return opened;
  }

  function openAnew(): Opened {
    let file: IndexFile;
    let index: Index;
    try {
      const result = openIndexFile(path);
      ({ file } = result);
      if (result.tookAway) note("index", "The index could not be read and is made again.");
      index = loadIndex(file);
    } catch (cause) {
      if (isBroken(cause)) removeIndexFile(path);
      else note("index", `The index cannot be kept on the disk (${reasonOf(cause)}), so it is held in memory.`);
      ({ file } = openIndexFile(isBroken(cause) ? path : ":memory:"));
      index = loadIndex(file);
    }
    const keeper = openVectorKeeper(index, deps.embedders, deps.settings.embedder);
    return {
      ...{ index, keeper, inode: inodeOf(path) },
      files: openFileSync(index, keeper, place.files),
      conversations: openConversationSync(index, keeper, place, deps.nextConversations),
    };
  }

  function throwAway(why?: string): void {
    try {
      opened?.index.file.close();
    } catch {
      // a file that is broken may not even close; it is removed
    }
    opened = undefined;
    removeIndexFile(path);
    if (why !== undefined) note("index", why);
  }

  function note(what: "index" | "reading" | "vectors", message: string): undefined {
    if (wrong.get(what) !== message) deps.trouble(message);
    wrong.set(what, message);
  }

  function statusOf({ index, keeper, files }: Opened): KeptStatus {
    const { file } = index;
    const counted = (sql: string) => Number(file.lists(sql)[0]?.[0] ?? 0);
    const problems = [...wrong.values(), ...files.problems()];
    return {
      state: isWhole ? "ready" : "reading",
      units: index.table.live,
      files: counted("SELECT COUNT(*) FROM sources WHERE kind = 'file'"),
      conversations: counted("SELECT COUNT(*) FROM sources WHERE kind = 'conversation'"),
      bytes: counted("PRAGMA page_count") * counted("PRAGMA page_size"),
      ...keeper.status(),
      ...(problems.length > 0 && { trouble: problems.join(" ") }),
    };
  }
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}
