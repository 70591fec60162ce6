// One memory as the thread keeps it: its index, what it is made of, and how it stays true. Whatever fails, a search answers with what
// there is, and says what it may not have seen.
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Failure, reasonOf } from "../../contract/failure.ts";
import type { MemoryFind, MemoryPlace } from "../../contract/memory/memory-place.ts";
import type { MemorySettings } from "../../contract/memory/memory-settings.ts";
import { EmbedderFailure } from "../embed/embedder.ts";
import { isBroken, isFull } from "../index/index-file.ts";
import type { Index } from "../index/open-index.ts";
import { searchIndex } from "../search/search-index.ts";
import type { NextConversations, NextWish } from "../sources/conversations.ts";
import { type FilesWatch, watchMemoryFiles } from "../sources/watch-files.ts";
import type { KeptPlace, KeptStatus, SearchWish } from "../thread/thread-messages.ts";
import type { Embedders } from "./embedders.ts";
import { holdIndex } from "./hold-index.ts";
import { type ConversationSync, openConversationSync } from "./sync-conversations.ts";
import { type FileSync, openFileSync } from "./sync-files.ts";
import { readPlaces, toFinds } from "./to-finds.ts";
import { openVectorKeeper, type VectorKeeper } from "./vector-keeper.ts";

export type KeptMemory = {
  search(wish: SearchWish): Promise<{ finds: readonly MemoryFind[]; note?: string }>;
  read(places: readonly MemoryPlace[]): Promise<readonly (MemoryFind | undefined)[]>;
  status(): Promise<KeptStatus>;
  reindex(): Promise<KeptStatus>;
  /** So that the first search need not wait for it. */
  warm(): Promise<null>;
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
  nextConversations(wish: NextWish): Promise<NextConversations | undefined>;
  trouble(message: string): void;
  /** How long a search waits for what is new to be read. */
  waitMs?: number;
};

type Opened = { index: Index; keeper: VectorKeeper; files: FileSync; conversations: ConversationSync };

const usualWaitMs = 1_500;
const stretchMs = 100;
// whoever asks waits no longer for what is only a part of the answer
const leastVectorWaitMs = 200;
const settleMs = 300;
const forgiveAfterMs = 30_000;

export function openKeptMemory(deps: KeptDeps, place: KeptPlace): KeptMemory {
  const held = holdIndex(join(deps.indexFolder, `${place.key}.db`), (message) => void note("index", message));
  const waitMs = deps.waitMs ?? usualWaitMs;
  let opened: Opened | undefined;
  let watching: FilesWatch | undefined;
  let timer: { atMs: number; handle: NodeJS.Timeout } | undefined;
  let isMaking = false;
  let isClosed = false;
  let isWhole = false;
  // what is wrong at the moment, by what it keeps from being done
  const wrong = new Map<"index" | "reading" | "vectors", string>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    search: (wish) => inTurn(() => search(wish)),
    read: (places) =>
      inTurn(async () => {
        await upToDate(waitMs);
        return unbroken(({ index }) => readPlaces(index, places));
      }),
    status: () => inTurn(async () => statusOf(open())),
    reindex: () =>
      inTurn(async () => {
        held.makeAnew();
        wrong.clear();
        return statusOf(await upToDate(waitMs));
      }),
    warm: () =>
      inTurn(async () => {
        await upToDate(stretchMs);
        await deps.embedders.searching();
        return null;
      }),
    catchUp: () =>
      inTurn(async () => {
        open().files.look();
        const isRead = await readOn(Number.POSITIVE_INFINITY);
        // an index that cannot be brought to forget is thrown away
        if (isClosed) throw new Failure("Steward is closing.");
        if (!isRead || wrong.has("reading")) {
          held.makeAnew();
          isWhole = false;
          soon(0);
        } else open().index.file.run("PRAGMA wal_checkpoint(TRUNCATE)");
        return null;
      }),
    hear: () => soon(settleMs),
    async close() {
      isClosed = true;
      clearTimeout(timer?.handle);
      watching?.close();
      await last.catch(() => undefined);
      held.close();
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

  async function search({ query, most, maxTokens, waitMs: wait = waitMs }: SearchWish) {
    const { keeper } = await upToDate(wait);
    const vector = await keeper
      .questionVector(query, Math.max(leastVectorWaitMs, wait))
      .catch((cause) => note("vectors", `Searched by words only. ${reasonOf(cause)}`));
    const using = { ...(await deps.embedders.searching()), settings: deps.settings.search };
    const finds = await unbroken(({ index }) =>
      toFinds(index, searchIndex(using, index, { query, vector, most, maxTokens })),
    );
    const reading = isWhole ? [] : ["What is new is still being read, so something may be missing."];
    // while older vectors serve, nothing is missing from the answer
    const told = vector ? (["index", "reading"] as const) : (["index", "reading", "vectors"] as const);
    const isLate = !vector && !wrong.has("vectors") && deps.settings.embedder.provider !== "none";
    const late = isLate ? ["Searched by words only: the embedder has not answered in time."] : [];
    const notes = [...told.flatMap((what) => wrong.get(what) ?? []), ...late, ...reading];
    // that it was made again is told once; nothing is missing any more
    if (isWhole && held.isOnDisk()) wrong.delete("index");
    return { finds, ...(notes.length > 0 && { note: notes.join(" ") }) };
  }

  /** Damage that shows only when it is met: the index is made again, and what was asked for is done once more. */
  async function unbroken<Result>(work: (now: Opened) => Result): Promise<Result> {
    try {
      return work(open());
    } catch (cause) {
      if (!isBroken(cause)) throw cause;
      held.makeAnew("The index was damaged and is made again.");
      return work(await upToDate(waitMs));
    }
  }

  /** With everything that can be read in a moment; the rest is read in between. */
  async function upToDate(withinMs: number): Promise<Opened> {
    open();
    // what has just been written is told of before anything else is done
    await setImmediate();
    open().files.lookFor(watching?.news() ?? "unknown");
    isWhole = await readOn(performance.now() + withinMs);
    if (!isWhole) soon(0);
    return open();
  }

  /** False: there is more to read. */
  async function readOn(untilMs: number): Promise<boolean> {
    try {
      do {
        // whoever else asks this thread is heard in between
        await setImmediate();
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
      if (isBroken(cause)) held.makeAnew("The index was damaged and is made again.");
      else if (isFull(cause)) note("reading", "The disk is full, so what is new is not found yet. Make room on it.");
      else {
        note("reading", `What is new could not be read: ${reasonOf(cause)}.`);
        // what memory holds may not be what is on disk
        held.close();
      }
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
    if (!held.isOpen() || opened !== of) throw new Error("the index was made anew");
    return work();
  }

  /** The sooner of two wishes counts. */
  function soon(afterMs: number): void {
    const atMs = performance.now() + afterMs;
    if (isClosed || !held.isOpen() || (timer && timer.atMs <= atMs)) return;
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
    const index = held.now();
    if (opened?.index !== index) opened = openParts(index);
    watching ??= watchMemoryFiles(place.files, () => {
      opened?.files.look();
      soon(0);
    });
    return opened;
  }

  function openParts(index: Index): Opened {
    const keeper = openVectorKeeper(index, deps.embedders, deps.settings.embedder);
    return {
      ...{ index, keeper, files: openFileSync(index, keeper, place.files) },
      conversations: openConversationSync(index, keeper, place, deps.nextConversations),
    };
  }

  function note(what: "index" | "reading" | "vectors", message: string): undefined {
    if (wrong.get(what) !== message) deps.trouble(message);
    wrong.set(what, message);
  }

  function statusOf({ index, keeper, files }: Opened): KeptStatus {
    const { file } = index;
    const counted = (sql: string) => Number(file.lists(sql)[0]?.[0] ?? 0);
    const problems = [...wrong.values(), ...files.problems(), ...(watching?.problems() ?? [])];
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
