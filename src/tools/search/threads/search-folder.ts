// Does one task of a search: looks at a folder that it holds open, follows no link, and says what is left to do.
import { closeSync, constants, type Dirent, openSync, readdirSync } from "node:fs";
import { beneathDescriptor, folderFlags, noFollow } from "../../paths/held-folder.ts";
import { errorCode } from "../../paths/refusal.ts";
import { isSkipped } from "../../paths/reserved-names.ts";
import { type Glob, readGlob } from "../glob.ts";
import { type LineMatcher, lineMatcher } from "./line-matcher.ts";
import type { Beat } from "./search-beat.ts";
import { type FileSearch, newSearchBuffer, type SearchBuffer, searchFile } from "./search-file.ts";
import type { EntryKind, FoundEntry, FoundFile, SearchJob, SearchTask, TaskResult } from "./search-job.ts";

export type FolderSearch = { run(tasks: readonly SearchTask[]): TaskResult };
type OpenFolder = { descriptor: number; path: string };
type Scope = {
  job: SearchJob;
  glob: Glob | undefined;
  matcher: LineMatcher | undefined;
  beat: Beat;
  buffer: SearchBuffer;
};
type Tally = { tasks: SearchTask[]; entries: FoundEntry[]; files: FoundFile[]; searched: number; unreadable: number };

// a folder with more is shared among the threads
const namesOfOneTask = 1000;
const fileFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | noFollow;

export function openFolderSearch(job: SearchJob, beat: Beat): FolderSearch {
  const glob = job.glob === undefined ? undefined : readGlob(job.glob);
  if (glob && "refused" in glob) throw new Error(glob.refused);
  const matcher = "lines" in job.wanted ? lineMatcher(job.wanted.lines.pattern) : undefined;
  const scope: Scope = { job, glob, matcher, beat, buffer: newSearchBuffer() };
  return {
    run(tasks) {
      const tally: Tally = { tasks: [], entries: [], files: [], searched: 0, unreadable: 0 };
      for (const task of tasks) runTask(scope, task, tally);
      return tally;
    },
  };
}

function runTask(scope: Scope, task: SearchTask, tally: Tally): void {
  scope.beat.at(task.folder);
  const parts = [...scope.job.base, ...task.folder.split("/").filter((part) => part !== "")];
  // exchanged or taken away since its name was read
  const folder = ifPossible(tally, () => openFolder(scope.job.root, parts));
  if (!folder) return;
  try {
    const files = task.names ?? lookAround(scope, folder, task, tally);
    searchFiles(scope, folder, task, files, tally);
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
  for (const entry of ifPossible(tally, () => readdirSync(path, { withFileTypes: true })) ?? []) {
    if (isSkipped(entry, job.named)) continue;
    const below = task.folder === "" ? entry.name : `${task.folder}/${entry.name}`;
    if (entry.isDirectory()) tally.tasks.push({ folder: below });
    const kind = kindOf(entry);
    if (!kind || !isWanted(job, kind) || (glob && !glob.matches(below))) continue;
    if ("lines" in job.wanted) files.push(entry.name);
    else tally.entries.push({ path: [...job.base, below].join("/"), kind });
  }
  for (let at = namesOfOneTask; at < files.length; at += namesOfOneTask) {
    tally.tasks.push({ folder: task.folder, names: files.slice(at, at + namesOfOneTask) });
  }
  return files.slice(0, namesOfOneTask);
}

function isWanted({ wanted }: SearchJob, kind: EntryKind): boolean {
  return "lines" in wanted ? kind === "file" : wanted.entries === "any" || wanted.entries === kind;
}

function kindOf(entry: Dirent): EntryKind | undefined {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : undefined;
}

function searchFiles(scope: Scope, folder: OpenFolder, task: SearchTask, names: readonly string[], tally: Tally): void {
  const { job, matcher, beat, buffer } = scope;
  if (!("lines" in job.wanted) || !matcher) return;
  const { context, mode } = job.wanted.lines;
  const prefix = [...job.base, task.folder].filter((part) => part !== "").join("/");
  const search: FileSearch = { matcher, context, mode, alive: beat.goOn };
  for (const name of names) {
    const path = prefix === "" ? name : `${prefix}/${name}`;
    beat.at(path);
    const found = ifPossible(tally, () => searchNamed(search, folder, name, buffer));
    tally.searched++;
    if (found) tally.files.push({ path, ...found });
  }
}

function searchNamed(search: FileSearch, folder: OpenFolder, name: string, buffer: SearchBuffer) {
  const descriptor = openSync(beneathDescriptor(folder.descriptor, folder.path, name), fileFlags);
  try {
    return searchFile(search, descriptor, buffer);
  } finally {
    closeSync(descriptor);
  }
}

// what the system refuses is counted and passed over; anything else is a fault of ours
function ifPossible<T>(tally: Tally, work: () => T): T | undefined {
  try {
    return work();
  } catch (cause) {
    if (errorCode(cause) === undefined) throw cause;
    tally.unreadable++;
    return undefined;
  }
}
