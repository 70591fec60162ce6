// The part that runs on a thread of its own: keeps the index of a workspace up to date and ends a box that could see a
// protected file, however busy the main thread is.
import { lstatSync, readFileSync, type Stats } from "node:fs";
import { basename } from "node:path";
import { parentPort } from "node:worker_threads";
import { standInNames } from "../stand-ins/stand-ins.ts";
import { type BytePath, below, bytePath, bytesOf, folderOf, textOf } from "./byte-path.ts";
import { fileId } from "./file-id.ts";
import { type FoundName, type NameIndex, openNameIndex, type WatchedFolder } from "./name-index.ts";

export type WatchedBox = {
  box: number;
  workspace: string;
  /** Below the workspace: what is mounted over. Whoever replaces one from outside takes its mount away. */
  kept: readonly KeptPath[];
  /** The numbers of the secret files that are hidden from the box; further ones are not. */
  secrets: readonly string[];
  /** When they were looked for. */
  since: number;
};

export type KeptPath = { path: string; id?: string | undefined; folder?: string | undefined };

export type WatchRequest =
  | { kind: "look"; request: number; workspace: string }
  | { kind: "check"; request: number; box: number }
  | ({ kind: "begin" } & WatchedBox)
  /** The group of the box's outer processes, to be ended at once; where there is none, the main thread ends the box. */
  | { kind: "group"; box: number; group: number }
  | { kind: "end"; box: number };

/** `lost` names what a box could see or write since it came from outside. */
export type WatchAnswer = {
  request?: number;
  box?: number;
  lost?: string;
  look?: { found: readonly FoundName[]; since: number };
  failed?: string;
};

type KeptPlace = Omit<KeptPath, "path"> & { path: BytePath };

type Guarded = {
  box: number;
  workspace: BytePath;
  kept: readonly KeptPlace[];
  since: number;
  index: NameIndex;
  known: ReadonlySet<string>;
  /** By the number of their folder and their name, since a box may move a folder with what is mounted in it. */
  places: ReadonlyMap<string, KeptPlace & { isFolder: boolean }>;
  group?: number;
  lost?: BytePath;
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
    if (request.kind === "begin") return begin(request);
    // twice round the loop: everything that the kernel had to tell when the request was made has been heard by then
    setImmediate(() => setImmediate(() => answer({ request: request.request, ...tryTo(request) })));
  });

  function tryTo(request: Extract<WatchRequest, { request: number }>): WatchAnswer {
    try {
      if (request.kind === "look") return { look: lookAt(indexOf(request.workspace)) };
      return check(boxes.get(request.box));
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) };
    }
  }

  function lookAt(index: NameIndex) {
    const found = index.look();
    return { found, since: index.now() };
  }

  function indexOf(workspace: string): NameIndex {
    const index = indexes.get(workspace) ?? openNameIndex(workspace, { ...limits, onChange, ignored: standInNames });
    indexes.set(workspace, index);
    return index;
  }

  function begin(watched: WatchedBox): void {
    const { box, secrets, since } = watched;
    const index = indexOf(watched.workspace);
    const workspace = bytePath(watched.workspace);
    const kept = watched.kept.map((one) => ({ ...one, path: bytePath(one.path) }));
    index.hold();
    index.look();
    const places = new Map(
      kept.map((one) => {
        const isFolder = statsOf(workspace, one.path)?.isDirectory() ?? false;
        const folder = one.folder ?? index.folder(folderOf(one.path))?.id;
        return [`${folder}/${basename(one.path)}`, { ...one, isFolder }];
      }),
    );
    const guarded: Guarded = { box, workspace, kept, since, index, places, known: new Set(secrets) };
    boxes.set(box, guarded);
    // what was replaced since the mounts were planned; the command may have begun, and have moved a folder with its mounts
    for (const one of kept)
      if (isOther(workspace, one) && (one.folder === undefined || statsOf(workspace, one.path)))
        lose(guarded, one.path);
  }

  function setGroup({ box, group }: { box: number; group: number }): void {
    const guarded = boxes.get(box);
    if (!guarded) return;
    guarded.group = group;
    if (guarded.lost !== undefined) endGroup(group);
  }

  /** Inside, a name with a mount on it can be neither replaced nor removed: whatever happens to it comes from outside. */
  function onChange(folder: WatchedFolder, name: string): void {
    for (const guarded of boxes.values()) {
      const kept = guarded.places.get(`${folder.id}/${name}`);
      if (!kept) continue;
      // a folder whose mode or owner changes is told in the same way
      const isSame = kept.isFolder && !isOther(guarded.workspace, { ...kept, path: below(folder.path, name) });
      if (!isSame) lose(guarded, kept.path);
    }
    if (!standInNames.has(below(folder.path, name))) lookSoon();
  }

  function check(guarded: Guarded | undefined): WatchAnswer {
    if (!guarded) return { lost: "" };
    findNewSecret(guarded);
    for (const one of guarded.kept) {
      const folder = guarded.index.folder(folderOf(one.path));
      // where folders are too many to be watched
      if (folder && !folder.isWatched && isOther(guarded.workspace, one)) lose(guarded, one.path);
    }
    return guarded.lost === undefined ? {} : { lost: textOf(guarded.lost) };
  }

  /** In a folder that the command itself has made lies what the command has brought. */
  function findNewSecret(guarded: Guarded): void {
    const { index, known, since } = guarded;
    const isNew = ({ id, path }: FoundName) => !known.has(id) && index.wasThere(folderOf(path), since);
    const found = secretsOf(index.look()).find(isNew);
    if (found) lose(guarded, found.path);
  }

  function lose(guarded: Guarded, path: BytePath): void {
    if (guarded.lost !== undefined) return;
    guarded.lost = path;
    if (guarded.group !== undefined) endGroup(guarded.group);
    answer({ box: guarded.box, lost: textOf(path) });
  }

  function end(box: number): void {
    boxes.get(box)?.index.letGo();
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

function isOther(workspace: BytePath, { path, id }: KeptPlace): boolean {
  const stats = statsOf(workspace, path);
  return id !== undefined && (!stats || fileId(stats) !== id);
}

function statsOf(workspace: BytePath, path: BytePath): Stats | undefined {
  try {
    return lstatSync(bytesOf(below(workspace, path)), { throwIfNoEntry: false });
  } catch {
    // a folder on the way may not be entered any more, by the command neither
    return undefined;
  }
}

function secretsOf(found: readonly FoundName[]): FoundName[] {
  return found.filter(({ role }) => role === "secret");
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
