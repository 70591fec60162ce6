// A workspace comes in; every protected name in it goes out, at every depth. What has not changed is not read again.
import { accessSync, constants, type FSWatcher, lstatSync, readdirSync, type Stats, watch } from "node:fs";
import { basename } from "node:path";
import { asBytePath, type BytePath, below, bytePath, bytesOf, folderOf, textOf } from "./byte-path.ts";
import { fileId } from "./file-id.ts";
import { isInPackages, isRepository, type ProtectedRole, roleOf } from "./protected-role.ts";

export type FoundName = {
  /** Below the workspace. */
  path: BytePath;
  role: ProtectedRole;
  kind: "file" | "folder" | "link";
  /** The same wherever it is moved to. */
  id: string;
  /** The folder it was found in. */
  folder: string;
  /** A file or a folder for keys with nothing in it. */
  isEmpty: boolean;
};

export type NameIndex = {
  /** Everything as it is now. Call it when all that was told of changes has been heard. */
  look(): readonly FoundName[];
  /** A folder's number, if it is known, and whether it is told when something in it is replaced. */
  folder(path: BytePath): { id: string; isWatched: boolean } | undefined;
  /** While somebody holds it, the folders with stand-ins are watched too: they change with every command. */
  hold(): void;
  letGo(): void;
  close(): void;
};

export type WatchedFolder = { id: string; path: BytePath };

export type NameIndexDeps = {
  /** Told of each entry that comes, goes or is replaced. */
  onReplaced(folder: WatchedFolder, name: string): void;
  /** Told of each entry that is written to, or whose mode or owner changes. */
  onWritten(folder: WatchedFolder, name: string): void;
  /** Told when some of that may not have been told. */
  onMissed(): void;
  /** Paths that are none of the index's business, because stand-ins come and go there. */
  ignored: ReadonlySet<string>;
  isStandIn(stats: Stats): boolean;
  /** Beyond these, folders are looked through each time, and are not to be written to. */
  mostWatched: number;
  mostFolders: number;
  /** How many changes the kernel keeps for a listener that is behind; then it drops them. */
  mostUnheard: number;
  nowMs(): number;
};

type Found = Pick<FoundName, "path" | "role">;

type Folder = {
  id: string;
  changedMs: number;
  folders: ReadonlySet<string>;
  watcher: FSWatcher | undefined;
};

const top = bytePath("");
/** A folder that changed less than this ago may change again within what the disk's clock can tell apart. */
const settledAfterMs = 1_000;

export function openNameIndex(path: string, deps: NameIndexDeps): NameIndex {
  const workspace = bytePath(path);
  const folders = new Map<BytePath, Folder>();
  const found = new Map<BytePath, readonly Found[]>();
  const changed = new Set<BytePath>([top]);
  /** They go with the command, which cannot change them: each look sees whether they still stand in. */
  const standInFolders = new Set<BytePath>();
  let watched = 0;
  let unheard = 0;
  let mustLookThrough = true;
  let holders = 0;
  const busyFolders = new Set([...deps.ignored].map((name) => folderOf(bytePath(name))));
  return { look, folder: folderAt, hold, letGo, close };

  function hold(): void {
    holders += 1;
    if (holders > 1) return;
    for (const path of busyFolders) {
      // what came before is found by the next look
      changed.add(path);
      setWatcher(path, true);
    }
  }

  function letGo(): void {
    holders -= 1;
    if (holders === 0) for (const path of busyFolders) setWatcher(path, false);
  }

  function setWatcher(path: BytePath, isWanted: boolean): void {
    const folder = folders.get(path);
    if (!folder) return;
    closeWatcher(folder);
    folders.set(path, { ...folder, watcher: isWanted ? watchFolder(folder.id, path) : undefined });
  }

  function look(): readonly FoundName[] {
    // a listener that was told this much at once may have been told too little
    if (unheard >= deps.mostUnheard) mustLookThrough = true;
    unheard = 0;
    const untold = holders === 0 ? busyFolders : [];
    const waiting = [...(mustLookThrough ? [top, ...folders.keys()] : [...changed, ...untold]), ...standInFolders];
    const hasChanged = new Set(changed);
    changed.clear();
    // by the shallow ones first, so that it is the deep ones that are not watched where they are too many
    for (let at = 0; at < waiting.length; at++) visit(waiting[at] ?? top, hasChanged, waiting);
    const leftAlone = [...busyFolders].filter((path) => isLeftAlone(path) && folders.has(path)).length;
    mustLookThrough = watched + leftAlone < folders.size;
    return [...found].flatMap(([path, names]) => names.flatMap((one) => describe(path, one)));
  }

  function visit(path: BytePath, hasChanged: ReadonlySet<BytePath>, waiting: BytePath[]): void {
    const stats = statsOf(path);
    standInFolders.delete(path);
    // one that commands write to may bear the mark without being one
    if (stats && deps.ignored.has(path) && !busyFolders.has(path) && deps.isStandIn(stats)) standInFolders.add(path);
    if (!stats?.isDirectory() || standInFolders.has(path)) {
      drop(path);
      return;
    }
    const id = fileId(stats);
    const before = folders.get(path);
    if (before?.id !== id) drop(path);
    else if (before.changedMs === stats.ctimeMs && !hasChanged.has(path)) return;
    list(path, stats, before?.id === id ? before.watcher : undefined, waiting);
  }

  function list(path: BytePath, stats: Stats, watcher: FSWatcher | undefined, waiting: BytePath[]): void {
    const id = fileId(stats);
    // watched before it is read: what comes in between is then told
    const folder = { id, changedMs: settledTime(stats), watcher: watcher ?? watchFolder(id, path) };
    const read = folders.size < deps.mostFolders ? entriesOf(path) : undefined;
    const inside = new Set(read?.folders);
    for (const name of folders.get(path)?.folders ?? []) if (!inside.has(name)) drop(below(path, name));
    folders.set(path, { ...folder, folders: inside });
    const names: readonly Found[] = read?.found ?? [{ path, role: "closed" }];
    if (names.length > 0) found.set(path, names);
    else found.delete(path);
    // one that is watched tells by itself when it is replaced
    for (const name of inside) if (!folders.get(below(path, name))?.watcher) waiting.push(below(path, name));
  }

  function entriesOf(path: BytePath) {
    const at = bytesOf(below(workspace, path));
    try {
      const all = readdirSync(at, { withFileTypes: true, encoding: "latin1" });
      const entries = all.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
      const place = {
        isRepository: isRepository(basename(path), entries),
        isInPackages: isInPackages(path),
      };
      const names = entries.flatMap((entry): Found[] => {
        if (deps.ignored.has(below(path, entry.name))) return [];
        const role = roleOf(place, { ...entry, name: textOf(asBytePath(entry.name)) });
        return role === undefined ? [] : [{ path: below(path, entry.name), role }];
      });
      return { found: names, folders: entries.filter((entry) => entry.isFolder).map(({ name }) => name) };
    } catch {
      // it may not be read, or is going away: until it is known what is in it, it is protected as a whole
      return undefined;
    }
  }

  function describe(folder: BytePath, { path, role }: Found): FoundName[] {
    const stats = statsOf(path);
    // gone since: its folder is looked at again with the next look
    if (!stats) changed.add(folder);
    if (!stats) return isShut(folder) ? describe(folderOf(folder), { path: folder, role: "closed" }) : [];
    const kind = stats.isSymbolicLink() ? "link" : stats.isDirectory() ? "folder" : "file";
    const id = fileId(stats);
    const isEmpty = role === "secret" && (kind === "folder" ? isBare(path) : kind === "file" && stats.size === 0);
    return [{ path, role, kind, id, folder: folders.get(folder)?.id ?? "", isEmpty }];
  }

  function isBare(folder: BytePath): boolean {
    try {
      return readdirSync(bytesOf(below(workspace, folder))).length === 0;
    } catch {
      // nobody knows what is in it
      return false;
    }
  }

  /** One that may be read and not entered tells its names and nothing else. */
  function isShut(folder: BytePath): boolean {
    try {
      accessSync(bytesOf(below(workspace, folder)), constants.X_OK);
      return false;
    } catch {
      return folder !== "" && statsOf(folder) !== undefined;
    }
  }

  function drop(path: BytePath): void {
    const folder = folders.get(path);
    if (!folder) return;
    folders.delete(path);
    found.delete(path);
    closeWatcher(folder);
    for (const name of folder.folders) drop(below(path, name));
  }

  function closeWatcher({ watcher }: Folder): void {
    if (!watcher) return;
    watcher.close();
    watched -= 1;
  }

  function isLeftAlone(path: BytePath): boolean {
    return holders === 0 && busyFolders.has(path);
  }

  function watchFolder(id: string, path: BytePath): FSWatcher | undefined {
    if (watched >= deps.mostWatched || isLeftAlone(path)) return undefined;
    try {
      const watcher = watch(bytesOf(below(workspace, path)), { encoding: "latin1", persistent: false });
      watcher.on("change", (event, name) => tell({ id, path }, event, String(name)));
      // a folder that vanishes; its parent tells
      watcher.on("error", () => {});
      watched += 1;
      return watcher;
    } catch {
      // no more watches to be had, or the folder is gone: then it is looked through each time
      return undefined;
    }
  }

  function tell(folder: WatchedFolder, event: string, name: string): void {
    unheard += 1;
    if (unheard === deps.mostUnheard) deps.onMissed();
    if (event !== "rename") {
      deps.onWritten(folder, name);
      return;
    }
    if (!deps.ignored.has(below(folder.path, name))) changed.add(folder.path);
    deps.onReplaced(folder, name);
  }

  function folderAt(path: BytePath): ReturnType<NameIndex["folder"]> {
    const known = folders.get(path);
    return known && { id: known.id, isWatched: known.watcher !== undefined };
  }

  function settledTime(stats: Stats): number {
    return deps.nowMs() - stats.ctimeMs > settledAfterMs ? stats.ctimeMs : Number.NaN;
  }

  function statsOf(path: BytePath): Stats | undefined {
    try {
      return lstatSync(bytesOf(below(workspace, path)), { throwIfNoEntry: false });
    } catch {
      // a folder on the way may not be entered any more; that one is then found closed
      return undefined;
    }
  }

  function close(): void {
    drop(top);
  }
}
