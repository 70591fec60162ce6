// The part that runs on a thread of its own: keeps the index of a workspace up to date and ends a box that could see a
// protected file, however busy the main thread is.
import { lstatSync, readFileSync, type Stats } from "node:fs";
import { basename } from "node:path";
import { parentPort } from "node:worker_threads";
import { isSecretName } from "../../../contract/names/protected-names.ts";
import { isStandIn, standInNames } from "../stand-ins/stand-ins.ts";
import { asBytePath, type BytePath, below, bytePath, bytesOf, folderOf, textOf } from "./byte-path.ts";
import { fileId } from "./file-id.ts";
import { type FoundName, type NameIndex, openNameIndex, type WatchedFolder } from "./name-index.ts";
import { isInPackages } from "./protected-role.ts";

export type WatchedBox = {
  box: number;
  workspace: string;
  /** Below the workspace: what is mounted over. Whoever replaces one from outside takes its mount away. */
  kept: readonly KeptPath[];
  /** The numbers of the secret files that are hidden from the box; further ones are not. */
  secrets: readonly string[];
  /** The group of the box's outer processes, to be ended at once; where there is none, the main thread ends the box. */
  group?: number | undefined;
};

export type KeptPath = { path: string; id?: string | undefined; folder?: string | undefined };

export type WatchRequest =
  | { kind: "look"; request: number; workspace: string }
  | { kind: "check"; request: number; box: number }
  | ({ kind: "begin" } & WatchedBox)
  /** It has ended. When this is answered, stand-ins may go. */
  | { kind: "end"; request: number; box: number };

/** Why a box must end: a file with keys came, which is not hidden from it, or the mount over a name was taken away. */
export type Lost = { path: string; how: "came" | "replaced" | "unknown" };

export type WatchAnswer = {
  request?: number;
  box?: number;
  lost?: Lost;
  found?: readonly FoundName[];
  /** What was changed after it had come in the place of something kept. */
  touched?: readonly BytePath[];
  failed?: string;
};

type KeptPlace = Omit<KeptPath, "path"> & {
  path: BytePath;
  /** The number of its folder and its name, since a box may move a folder with what is mounted in it. */
  place: string;
  isFolder: boolean;
};

type Guarded = {
  box: number;
  workspace: BytePath;
  index: NameIndex;
  known: ReadonlySet<string>;
  kept: readonly KeptPlace[];
  places: ReadonlyMap<string, KeptPlace>;
  group: number | undefined;
  lost?: Lost;
  /** By its place: what has lost its mount, and where it lies. */
  replaced: Map<string, BytePath>;
  /** What has changed since it lost its mount. */
  touched: Set<BytePath>;
};

const mostUnheard = Math.min(16_384, numberIn("/proc/sys/fs/inotify/max_queued_events", 1_000));
const limits = { mostWatched: 10_000, mostFolders: 100_000, mostUnheard, nowMs: Date.now };

const port = parentPort;
if (port) serve((answer) => port.postMessage(answer));

function serve(answer: (answer: WatchAnswer) => void): void {
  const indexes = new Map<string, NameIndex>();
  const boxes = new Map<number, Guarded>();
  const listeners = { onReplaced, onWritten, onMissed, ignored: standInNames, isStandIn };
  let isLooking = false;
  port?.on("message", (request: WatchRequest) => {
    if (request.kind === "begin") return begin(request);
    if (request.kind === "end") forgetGroup(request.box);
    // twice round the loop: everything that the kernel had to tell when the request was made has been heard by then
    setImmediate(() => setImmediate(() => answer({ request: request.request, ...tryTo(request) })));
  });

  function tryTo(request: Extract<WatchRequest, { request: number }>): WatchAnswer {
    try {
      if (request.kind === "look") return { found: lookAt(indexOf(request.workspace)) };
      const guarded = boxes.get(request.box);
      if (!guarded) return { failed: "the watch over protected names was begun anew meanwhile" };
      const found = lookAtBox(guarded);
      const lost = guarded.lost && { lost: guarded.lost };
      return request.kind === "check" ? { ...lost } : { ...end(guarded), ...lost, found };
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Whoever looks, looks for all: where folders are too many to be watched nobody tells what comes. */
  function lookAt(index: NameIndex): readonly FoundName[] {
    const found = index.look();
    for (const guarded of boxes.values()) if (guarded.index === index) judgeSecrets(guarded, found);
    return found;
  }

  function indexOf(workspace: string): NameIndex {
    const index = indexes.get(workspace) ?? openNameIndex(workspace, { ...limits, ...listeners });
    indexes.set(workspace, index);
    return index;
  }

  function begin(watched: WatchedBox): void {
    const { box, secrets, group } = watched;
    const index = indexOf(watched.workspace);
    const workspace = bytePath(watched.workspace);
    index.hold();
    const found = index.look();
    const looked = watched.kept.map((one) => lookAtKept(index, workspace, one));
    const kept = looked.map(({ place }) => place);
    const places = new Map(kept.map((one) => [one.place, one]));
    const guarded: Guarded = {
      ...{ box, group, workspace, index, kept, places, known: new Set(secrets) },
      ...{ replaced: new Map(), touched: new Set() },
    };
    boxes.set(box, guarded);
    // what was replaced since the mounts were planned; the command may have begun, and nobody listened
    for (const { place, stats } of looked) if (isReplaced(index, place, stats)) replaceUnheard(guarded, place);
    judgeSecrets(guarded, found);
  }

  /** Inside, a name with a mount on it can be neither replaced nor removed: whatever happens to it comes from outside. */
  function onReplaced(folder: WatchedFolder, name: string): void {
    const place = placeOf(folder, name);
    const path = below(folder.path, name);
    for (const guarded of boxes.values()) {
      const kept = guarded.places.get(place);
      if (!kept) continue;
      // a folder whose mode or owner changes is told in the same way
      const isSame = kept.isFolder && !isOther(kept, statsOf(guarded.workspace, path));
      if (!isSame) replace(guarded, place, path);
    }
    if (!standInNames.has(path)) lookSoon();
  }

  /** The kernel tells in order: what is written to after it came has lost its mount, and the command may still have lived. */
  function onWritten(folder: WatchedFolder, name: string): void {
    for (const { replaced, touched } of boxes.values()) {
      const path = replaced.get(placeOf(folder, name));
      if (path !== undefined) touched.add(path);
    }
    // one with keys that was empty may hold some now
    if (boxes.size > 0 && isSecretName(textOf(asBytePath(name)))) lookSoon();
  }

  function replace(guarded: Guarded, place: string, path: BytePath): void {
    // replaced once more, and perhaps by the command; or a folder, and nobody listens yet to what happens in it
    const isUnheard = statsOf(guarded.workspace, path)?.isDirectory() ?? false;
    if (isUnheard || guarded.replaced.has(place)) guarded.touched.add(path);
    guarded.replaced.set(place, path);
    lose(guarded, path, "replaced");
  }

  /** Where nobody tells what happens to it, it counts as changed. */
  function replaceUnheard(guarded: Guarded, { place, path }: KeptPlace): void {
    replace(guarded, place, path);
    guarded.touched.add(path);
  }

  /** The kernel keeps only so much for a listener that is behind: what is replaced now is known by its number alone. */
  function onMissed(): void {
    setImmediate(() => {
      for (const guarded of boxes.values()) {
        const { index, workspace, kept, replaced } = guarded;
        lookAt(index);
        for (const one of kept)
          if (replaced.has(one.place) || isReplaced(index, one, statsOf(workspace, one.path)))
            replaceUnheard(guarded, one);
      }
    });
  }

  function lookAtBox(guarded: Guarded): readonly FoundName[] {
    const found = lookAt(guarded.index);
    for (const one of guarded.kept) {
      const folder = guarded.index.folder(folderOf(one.path));
      // where folders are too many to be watched
      if (folder && !folder.isWatched && isOther(one, statsOf(guarded.workspace, one.path)))
        replaceUnheard(guarded, one);
    }
    return found;
  }

  /** Nobody can tell who made it: whatever folder it lies in, it counts as the owner's. */
  function judgeSecrets(guarded: Guarded, found: readonly FoundName[]): void {
    const isNew = ({ id, role, isEmpty, path }: FoundName) =>
      role === "secret" && !isEmpty && !isInPackages(path) && !guarded.known.has(id);
    const one = found.find(isNew);
    if (one) lose(guarded, one.path, "came");
  }

  function lose(guarded: Guarded, path: BytePath, how: Lost["how"]): void {
    if (guarded.lost !== undefined) return;
    guarded.lost = { path: textOf(path), how };
    if (guarded.group !== undefined) endGroup(guarded.group);
    answer({ box: guarded.box, lost: guarded.lost });
  }

  /** The group of one that has ended may be somebody else's. */
  function forgetGroup(box: number): void {
    const guarded = boxes.get(box);
    if (guarded) guarded.group = undefined;
  }

  function end(guarded: Guarded): WatchAnswer {
    guarded.index.letGo();
    boxes.delete(guarded.box);
    return { touched: [...guarded.touched] };
  }

  function lookSoon(): void {
    if (isLooking || boxes.size === 0) return;
    isLooking = true;
    setImmediate(() => {
      isLooking = false;
      for (const index of new Set([...boxes.values()].map((one) => one.index))) lookAt(index);
    });
  }
}

function placeOf(folder: WatchedFolder, name: string): string {
  return `${folder.id}/${name}`;
}

function lookAtKept(index: NameIndex, workspace: BytePath, one: KeptPath): { place: KeptPlace; stats?: Stats } {
  const path = bytePath(one.path);
  const stats = statsOf(workspace, path);
  const isFolder = stats?.isDirectory() ?? false;
  const folder = one.folder ?? index.folder(folderOf(path))?.id;
  return { place: { ...one, path, place: `${folder}/${basename(path)}`, isFolder }, ...(stats && { stats }) };
}

function isOther({ id }: KeptPlace, stats: Stats | undefined): boolean {
  return id !== undefined && (!stats || fileId(stats) !== id);
}

function isReplaced(index: NameIndex, one: KeptPlace, stats: Stats | undefined): boolean {
  // by the command, and its mounts have moved with it
  const hasMoved = one.folder !== undefined && index.folder(folderOf(one.path))?.id !== one.folder;
  return isOther(one, stats) && !(stats === undefined && hasMoved);
}

function statsOf(workspace: BytePath, path: BytePath): Stats | undefined {
  try {
    return lstatSync(bytesOf(below(workspace, path)), { throwIfNoEntry: false });
  } catch {
    // a folder on the way may not be entered any more, by the command neither
    return undefined;
  }
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
