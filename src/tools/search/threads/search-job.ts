// What the threads of a search are told and what they answer.

import type { EntryKind } from "../../paths/entry-kind.ts";
import type { SearchPattern } from "../search-pattern.ts";

export type SearchJob = {
  /** The workspace's real folder, and the folder below it in which the search begins. */
  root: string;
  base: readonly string[];
  /** Stands before every path that is found; empty in the workspace. */
  prefix: string;
  /** Compared with paths below the base. */
  glob: string | undefined;
  /** Folders that are left out unless they are named. */
  named: readonly string[];
  /** Names of this kind are wanted, or lines in files. */
  wanted: { entries: EntryKind | "any" } | { lines: LinesWanted };
};
export type LinesWanted = { pattern: SearchPattern; context: number; mode: SearchMode };
export type SearchMode = "lines" | "files" | "count";

/** A folder below the base, all of it or only these of its names. */
export type SearchTask = { folder: string; names?: readonly string[] };

export type FoundEntry = { path: string; kind: EntryKind };
export type FoundLine = { number: number; text: string; isMatch: boolean };
export type FoundFile = { path: string; count: number; lines: readonly FoundLine[] };

/** Paths are relative to the workspace, tasks to the base. */
export type TaskResult = {
  tasks: readonly SearchTask[];
  entries: readonly FoundEntry[];
  files: readonly FoundFile[];
};

/** What a thread is sent, and answers with one result. */
export type SearchMessage = { job: SearchJob; tasks: readonly SearchTask[] };

/** The most matches that are shown, so that no thread keeps more. */
export const mostMatchesShown = 200;
