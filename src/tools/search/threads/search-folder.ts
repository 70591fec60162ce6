// Does one task of a search: looks at a folder that it holds open, follows no link, and says what is left to do.
import { closeSync, constants, openSync, readdirSync } from "node:fs";
import { type EntryKind, kindOf } from "../../paths/entry-kind.ts";
import { beneathDescriptor, folderFlags, noFollow } from "../../paths/held-folder.ts";
import { errorCode } from "../../paths/refusal.ts";
import { isSkipped } from "../../paths/reserved-names.ts";
import { type Glob, readGlob } from "../glob.ts";
import { lineMatcher } from "./line-matcher.ts";
import type { Beat } from "./search-beat.ts";
import { type FileSearch, searchFile } from "./search-file.ts";
import type { FoundEntry, FoundFile, SearchJob, SearchMessage, SearchTask, TaskResult } from "./search-job.ts";

type OpenFolder = { descriptor: number; path: string };
type Scope = { job: SearchJob; glob: Glob | undefined; lines: FileSearch | undefined; beat: Beat };
type Tally = { tasks: SearchTask[]; entries: FoundEntry[]; files: FoundFile[] };

// a folder with more is shared among the threads
const namesOfOneTask = 1000;
const fileFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | noFollow;

export function searchFolders({ job, tasks }: SearchMessage, beat: Beat): TaskResult {
  const glob = job.glob === undefined ? undefined : readGlob(job.glob);
  if (glob && "refused" in glob) throw new Error(glob.refused);
  const wanted = "lines" in job.wanted ? job.wanted.lines : undefined;
  const lines = wanted && { matcher: lineMatcher(wanted.pattern), wanted, alive: beat.goOn };
  const tally: Tally = { tasks: [], entries: [], files: [] };
  for (const task of tasks) runTask({ job, glob, lines, beat }, task, tally);
  return tally;
}

function runTask(scope: Scope, task: SearchTask, tally: Tally): void {
  scope.beat.at(task.folder);
  const parts = [...scope.job.base, ...task.folder.split("/").filter((part) => part !== "")];
  // exchanged or taken away since its name was read
  const folder = ifPossible(() => openFolder(scope.job.root, parts));
  if (!folder) return;
  try {
    const files = task.names ?? lookAround(scope, folder, task, tally);
    searchFiles(
      scope,
      folder,
      { prefix: scope.job.prefix + parts.map((part) => `${part}/`).join(""), names: files },
      tally,
    );
  } finally {
    closeSync(folder.descriptor);
  }
}

function openFolder(root: string, parts: readonly string[]): OpenFolder {
  let folder: OpenFolder = { descriptor: openSync(root, folderFlags), path: root };
  for (const part of parts) {
    try {
      const descriptor = openSync(beneathDescriptor(folder.descriptor, folder.path, part), folderFlags);
      closeSync(folder.descriptor);
      folder = { descriptor, path: `${folder.path}/${part}` };
    } catch (cause) {
      closeSync(folder.descriptor);
      throw cause;
    }
  }
  return folder;
}

/** Notes the folders below and the wanted names; answers with the files to look into. */
function lookAround(scope: Scope, folder: OpenFolder, task: SearchTask, tally: Tally): readonly string[] {
  const { job, glob } = scope;
  const files: string[] = [];
  const path = beneathDescriptor(folder.descriptor, folder.path, ".");
  for (const entry of ifPossible(() => readdirSync(path, { withFileTypes: true })) ?? []) {
    if (isSkipped(entry, job.named)) continue;
    const below = task.folder === "" ? entry.name : `${task.folder}/${entry.name}`;
    if (entry.isDirectory()) tally.tasks.push({ folder: below });
    const kind = kindOf(entry);
    if (!isWanted(job, kind) || (glob && !glob.matches(below))) continue;
    if ("lines" in job.wanted) files.push(entry.name);
    else tally.entries.push({ path: job.prefix + [...job.base, below].join("/"), kind });
  }
  for (let at = namesOfOneTask; at < files.length; at += namesOfOneTask) {
    tally.tasks.push({ folder: task.folder, names: files.slice(at, at + namesOfOneTask) });
  }
  return files.slice(0, namesOfOneTask);
}

function isWanted({ wanted }: SearchJob, kind: EntryKind): boolean {
  return "lines" in wanted
    ? kind === "file"
    : wanted.entries === kind || (wanted.entries === "any" && kind !== "special");
}

type NamedFiles = { prefix: string; names: readonly string[] };

function searchFiles({ lines, beat }: Scope, folder: OpenFolder, { prefix, names }: NamedFiles, tally: Tally): void {
  if (!lines) return;
  for (const name of names) {
    beat.at(prefix + name);
    const found = ifPossible(() => searchNamed(lines, folder, name));
    if (found) tally.files.push({ path: prefix + name, ...found });
  }
}

function searchNamed(search: FileSearch, folder: OpenFolder, name: string) {
  const descriptor = openSync(beneathDescriptor(folder.descriptor, folder.path, name), fileFlags);
  try {
    return searchFile(search, descriptor);
  } finally {
    closeSync(descriptor);
  }
}

// what the system refuses is passed over; anything else is a fault of ours
function ifPossible<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (cause) {
    if (errorCode(cause) === undefined) throw cause;
    return undefined;
  }
}
