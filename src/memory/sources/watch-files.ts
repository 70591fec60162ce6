// Looks out for changes in the files of a memory, and says where it may miss some: there they are listed before a search.
import { type FSWatcher, lstatSync, readdirSync, statfsSync, statSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf, reasonOf } from "../../contract/failure.ts";
import { type FileSource, type FilesPlace, isLeftAlone, pathOf, sourcesOf } from "./files-place.ts";

export type FilesWatch = {
  /** Of what has not been told yet. unknown: some of it is not looked out for. */
  news(): "changed" | "none" | "unknown";
  /** What is not looked out for and why, in sentences for a person. */
  problems(): readonly string[];
  close(): void;
};

/** Which names of a folder count; undefined: all. */
type Wanted = Map<string, ReadonlySet<string> | undefined>;
type Watched = { watcher: FSWatcher; identity: string };

const mostFolders = 1_000;
// where something is written all the time, it is still told of
const longestWaits = 10;
const mostTries = 5;
// NFS, SMB in three ages, 9p and FUSE: what another machine writes there is told to nobody here
const othersWriteTo: ReadonlySet<number> = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546]);

/** Calls back once it has been quiet for a while after a change, never at once. */
export function watchMemoryFiles(place: FilesPlace, onChange: () => void, debounceMs = 1_500): FilesWatch {
  const watched = new Map<string, Watched>();
  const problems = new Set<string>();
  let wanted: Wanted = new Map();
  let timer: NodeJS.Timeout | undefined;
  let changedAtMs: number | undefined;
  let mayMiss = false;
  let isClosed = false;
  look();
  return {
    news() {
      if (changedAtMs !== undefined) return "changed";
      return problems.size === 0 && !mayMiss && !isClosed ? "none" : "unknown";
    },
    problems: () => [...problems],
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const path of [...watched.keys()]) stop(path);
    },
  };

  /** Folders come, go and are replaced; what was made before its folder was watched is seen by looking again. */
  function look(): void {
    for (let tries = 0, isNew = true; isNew && tries < mostTries; tries += 1) {
      problems.clear();
      wanted = wantedFolders(place, problems);
      for (const path of [...watched.keys()]) if (!wanted.has(path)) stop(path);
      isNew = [...wanted.keys()].filter(start).length > 0;
    }
  }

  /** Whether it was not watched before. */
  function start(path: string): boolean {
    try {
      const { dev, ino } = statSync(path);
      const identity = `${dev}:${ino}`;
      if (watched.get(path)?.identity === identity) return false;
      stop(path);
      const watcher = watch(path, { persistent: false }, (kind, name) => {
        if (!isWanted(path, name)) return;
        if (kind === "rename") letGo(path, name);
        changed();
      });
      // the next look watches what is there then
      watcher.on("error", () => {
        stop(path);
        changed();
      });
      watched.set(path, { watcher, identity });
      if (othersWriteTo.has(statfsSync(path).type)) mayMiss = true;
      return true;
    } catch (cause) {
      stop(path);
      problems.add(
        `${path} is not watched (${codeOf(cause) ?? reasonOf(cause)}): changes are seen with the next search.`,
      );
      return false;
    }
  }

  function stop(path: string): void {
    watched.get(path)?.watcher.close();
    watched.delete(path);
  }

  /** A folder that was replaced may have the number of the one before it. */
  function letGo(path: string, name: string | null): void {
    const gone = name === null || name === basename(path) ? path : join(path, name);
    for (const each of [...watched.keys()]) if (each === gone || each.startsWith(`${gone}/`)) stop(each);
  }

  function isWanted(path: string, name: string | null): boolean {
    // that it is gone itself a folder tells by its own name
    if (name === null || name === basename(path)) return true;
    const names = wanted.get(path);
    return names ? names.has(name) : !name.startsWith(".");
  }

  function changed(): void {
    clearTimeout(timer);
    if (isClosed) return;
    changedAtMs ??= performance.now();
    const leftMs = changedAtMs + longestWaits * debounceMs - performance.now();
    timer = setTimeout(tell, Math.max(0, Math.min(debounceMs, leftMs))).unref();
  }

  function tell(): void {
    changedAtMs = undefined;
    look();
    onChange();
  }
}

function wantedFolders(place: FilesPlace, problems: Set<string>): Wanted {
  const wanted: Wanted = new Map();
  for (const source of sourcesOf(place)) {
    const path = pathOf(source);
    // the folder above sees it come, go and be replaced
    if (source.parts.length > 0) addName(wanted, dirname(path), basename(path));
    if (source.kind !== "file") addFolders(wanted, source, path, []);
  }
  if (wanted.size >= mostFolders)
    problems.add(
      `Only ${mostFolders} folders of ${place.folder} are watched: changes in others are seen with the next search.`,
    );
  return wanted;
}

function addName(wanted: Wanted, folder: string, name: string): void {
  const names = wanted.get(folder);
  if (names || !wanted.has(folder)) wanted.set(folder, new Set([...(names ?? []), name]));
}

function addFolders(wanted: Wanted, source: FileSource, path: string, below: readonly string[]): void {
  if (wanted.size >= mostFolders) return;
  const entries = foldersIn(path);
  if (!entries) return;
  wanted.set(path, undefined);
  for (const name of entries) {
    const parts = [...below, name];
    if (!isLeftAlone(source, parts)) addFolders(wanted, source, join(path, name), parts);
  }
}

/** Undefined: it is none itself, or is not there. */
function foldersIn(path: string): readonly string[] | undefined {
  try {
    if (!lstatSync(path).isDirectory()) return undefined;
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    // the listing says what is wrong with it
    return undefined;
  }
}
