// The part that runs on a thread of its own: keeps the index of a workspace up to date and ends a box that could see a
// protected file, however busy the main thread is.
import { type FSWatcher, lstatSync, readFileSync, type Stats, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parentPort } from "node:worker_threads";
import { type FoundName, type NameIndex, openNameIndex } from "./name-index.ts";

export type WatchedBox = {
  box: number;
  workspace: string;
  /** Below the workspace: what is mounted over. Whoever replaces one from outside takes its mount away. */
  kept: readonly string[];
  /** The numbers of the secret files that are hidden from the box; further ones are not. */
  secrets: readonly string[];
};

export type WatchRequest =
  | { kind: "look"; request: number; workspace: string }
  | ({ kind: "begin"; request: number } & WatchedBox)
  | { kind: "check"; request: number; box: number }
  /** The group of the box's outer processes, to be ended at once; where there is none, the main thread ends the box. */
  | { kind: "group"; box: number; group: number }
  | { kind: "end"; box: number };

/** `lost` names what a box could see or write since it came from outside. */
export type WatchAnswer = {
  request?: number;
  box?: number;
  lost?: string;
  found?: readonly FoundName[];
  failed?: string;
};

type Guarded = WatchedBox & {
  index: NameIndex;
  since: number;
  known: ReadonlySet<string>;
  watchers: FSWatcher[];
  group?: number;
  lost?: string;
};

const mostUnheard = Math.min(16_384, numberIn("/proc/sys/fs/inotify/max_queued_events", 1_000));
const limits = { mostWatched: 10_000, mostFolders: 100_000, mostUnheard, nowMs: Date.now };

const port = parentPort;
if (port) serve((answer) => port.postMessage(answer));

function serve(answer: (answer: WatchAnswer) => void): void {
  const indexes = new Map<string, NameIndex>();
  const boxes = new Map<number, Guarded>();
  let isLooking = false;
  port?.on("message", (request: WatchRequest) => {
    if (request.kind === "end") return end(request.box);
    if (request.kind === "group") return setGroup(request);
    // twice round the loop: everything that the kernel had to tell when the request was made has been heard by then
    setImmediate(() => setImmediate(() => answer({ request: request.request, ...tryTo(request) })));
  });

  function tryTo(request: Exclude<WatchRequest, { kind: "end" | "group" }>): WatchAnswer {
    try {
      if (request.kind === "look") return { found: indexOf(request.workspace).look() };
      if (request.kind === "begin") return begin(request);
      return check(boxes.get(request.box));
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) };
    }
  }

  function indexOf(workspace: string): NameIndex {
    const index = indexes.get(workspace) ?? openNameIndex(workspace, { ...limits, onChange: lookSoon });
    indexes.set(workspace, index);
    return index;
  }

  function begin(watched: WatchedBox): WatchAnswer {
    const { box, workspace, kept, secrets } = watched;
    const index = indexOf(workspace);
    const guarded: Guarded = { ...watched, index, since: index.now(), known: new Set(secrets), watchers: [] };
    boxes.set(box, guarded);
    const folders = Map.groupBy(kept, (path) => dirname(join(workspace, path)));
    for (const [folder, paths] of folders) guarded.watchers.push(watchKept(guarded, folder, paths));
    return {};
  }

  function setGroup({ box, group }: { box: number; group: number }): void {
    const guarded = boxes.get(box);
    if (!guarded) return;
    guarded.group = group;
    if (guarded.lost !== undefined) endGroup(group);
  }

  /** Inside, a name with a mount on it can be neither replaced nor removed: whatever happens to it comes from outside. */
  function watchKept(guarded: Guarded, folder: string, paths: readonly string[]): FSWatcher {
    const before = new Map(paths.map((path) => [basename(path), { path, stats: statsOf(guarded, path) }]));
    const watcher = watch(folder, { persistent: false });
    watcher.on("change", (event, name) => {
      const kept = before.get(String(name));
      if (event !== "rename" || !kept) return;
      const { path, stats } = kept;
      // a folder whose mode or owner changes is told in the same way
      if (!stats?.isDirectory() || stats.ino !== statsOf(guarded, path)?.ino) lose(guarded, path);
    });
    watcher.on("error", () => lose(guarded, folder));
    return watcher;
  }

  function check(guarded: Guarded | undefined): WatchAnswer {
    if (!guarded) return { lost: "" };
    findNewSecret(guarded);
    return guarded.lost === undefined ? {} : { lost: guarded.lost };
  }

  /** In a folder that the command itself has made lies what the command has brought. */
  function findNewSecret(guarded: Guarded): void {
    const { index, known, kept, since } = guarded;
    const isNew = ({ id, path }: FoundName) =>
      !known.has(id) && !kept.includes(path) && index.wasThere(folderOf(path), since);
    const found = secretsOf(index.look()).find(isNew);
    if (found) lose(guarded, found.path);
  }

  function lose(guarded: Guarded, path: string): void {
    if (guarded.lost !== undefined) return;
    guarded.lost = path;
    if (guarded.group !== undefined) endGroup(guarded.group);
    answer({ box: guarded.box, lost: path });
  }

  function end(box: number): void {
    for (const watcher of boxes.get(box)?.watchers ?? []) watcher.close();
    boxes.delete(box);
  }

  function lookSoon(): void {
    if (isLooking || boxes.size === 0) return;
    isLooking = true;
    setImmediate(() => {
      isLooking = false;
      for (const guarded of boxes.values()) findNewSecret(guarded);
    });
  }
}

function statsOf({ workspace }: WatchedBox, path: string): Stats | undefined {
  return lstatSync(join(workspace, path), { throwIfNoEntry: false });
}

function secretsOf(found: readonly FoundName[]): FoundName[] {
  return found.filter(({ role }) => role === "secret");
}

function folderOf(path: string): string {
  return path.includes("/") ? dirname(path) : "";
}

function endGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // it has ended by itself
  }
}

function numberIn(file: string, otherwise: number): number {
  try {
    return Number(readFileSync(file, "utf8")) || otherwise;
  } catch {
    // not Linux
    return otherwise;
  }
}
