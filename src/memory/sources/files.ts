// The Markdown files of a memory: a place comes in; which files there are, what is wrong with them, and what they hold go out.
import type { BigIntStats } from "node:fs";
import { codeOf, reasonOf } from "../../contract/failure.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import {
  type FileSource,
  type FilesPlace,
  isLeftAlone,
  isMarkdown,
  isOfKeys,
  nameBelow,
  partsBelow,
  pathOf,
  sourcesOf,
} from "./files-place.ts";
import {
  checkReadable,
  type HeldFolder,
  lookAt,
  namesIn,
  readBytes,
  withFileIn,
  withFolder,
  withFolderIn,
} from "./held-folder.ts";

export type FoundFile = {
  /** Relative to the folder of the place, or the whole path of what lies beside it. */
  name: string;
  /** Another one whenever the content may be another. */
  stamp: string;
};

const mostBytes = 4 * 1_048_576;
const mostFiles = 20_000;
// somebody may make folders without end
const mostEntries = 200_000;
const mostFoldersDeep = 30;
const mostProblems = 20;

type Listing = { files: Map<string, FoundFile>; problems: Set<string>; entries: number };
/** An entry of a held folder, and how it is called from its source on. */
type Entry = { source: FileSource; folder: HeldFolder; name: string; below: readonly string[] };

/** Problems are sentences for a person. */
export async function listMemoryFiles(
  place: FilesPlace,
): Promise<{ files: readonly FoundFile[]; problems: readonly string[] }> {
  const listing: Listing = { files: new Map(), problems: new Set(), entries: 0 };
  for (const source of sourcesOf(place)) listSource(listing, source);
  if (isFull(listing))
    listing.problems.add(
      `Only ${listing.files.size} files of ${place.folder} are searched, because there are too many. Move away what nobody looks for.`,
    );
  return { files: [...listing.files.values()], problems: firstOf([...listing.problems]) };
}

/** Undefined: it is gone, may not be read, or is none of this memory. */
export async function readMemoryFile(
  place: FilesPlace,
  name: string,
): Promise<{ text: string; stamp: string } | undefined> {
  for (const source of sourcesOf(place)) {
    const below = partsBelow(source, name);
    if (!below || isOfKeys(source)) continue;
    const parts = [...source.parts, ...below];
    const file = parts.pop();
    if (file === undefined || !isMarkdown(file)) continue;
    try {
      return withFolder({ ...source, parts, staysOnMount: source.isOfGroup }, (folder) => read(source, folder, file));
    } catch {
      // gone, or another thing by now; the next listing says what is wrong with it
      return undefined;
    }
  }
  return undefined;
}

function read(source: FileSource, folder: HeldFolder, name: string): { text: string; stamp: string } | undefined {
  return withFileIn(folder, name, ({ descriptor, stats }) => {
    if (stats.size > mostBytes || mayBeElsewhere(source, stats)) return undefined;
    // what is written meanwhile gives it another stamp, and it is read again
    const bytes = readBytes(descriptor, Number(stats.size));
    return { text: new TextDecoder().decode(bytes), stamp: stampOf(stats) };
  });
}

function stampOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join(":");
}

/** A file of several names (hard links) may have one outside the group's folder. */
function mayBeElsewhere({ isOfGroup }: FileSource, { nlink }: BigIntStats): boolean {
  return isOfGroup && nlink > 1;
}

function listSource(listing: Listing, source: FileSource): void {
  if (isOfKeys(source)) {
    listing.problems.add(`${source.name} is not searched: keys and passwords lie there.`);
    return;
  }
  const name = source.parts.at(-1);
  const place = { ...source, parts: source.parts.slice(0, -1), staysOnMount: source.isOfGroup };
  try {
    withFolder(place, (folder) =>
      name === undefined
        ? listFolder(listing, source, folder, [])
        : listEntry(listing, { source, folder, name, below: [] }),
    );
  } catch (cause) {
    noteFailure(listing, source.isAskedFor ? pathOf(source) : source.root, cause);
  }
}

function listFolder(listing: Listing, source: FileSource, folder: HeldFolder, below: readonly string[]): void {
  for (const name of namesIn(folder, mostEntries - listing.entries)) {
    if (isFull(listing)) return;
    listing.entries += 1;
    const parts = [...below, name];
    if (!isLeftAlone(source, parts)) listEntry(listing, { source, folder, name, below: parts });
  }
}

function listEntry(listing: Listing, entry: Entry): void {
  const { source, folder, name, below } = entry;
  const shown = visibleLine(nameBelow(source, below));
  try {
    const stats = lookAt(folder, name);
    if (stats?.isDirectory()) listFolderIn(listing, entry, shown);
    else if (stats?.isSymbolicLink())
      listing.problems.add(`${shown} is not searched: it is a link, and links are not followed.`);
    else if (stats?.isFile() && isMarkdown(name)) addFile(listing, entry, stats, shown);
    else if (source.isAskedFor && below.length === 0) noteUnusable(listing, shown, stats);
  } catch (cause) {
    // gone since its name was read
    if (codeOf(cause) !== "ENOENT") noteFailure(listing, shown, cause);
  }
}

function listFolderIn(listing: Listing, { source, folder, name, below }: Entry, shown: string): void {
  if (source.kind === "file") return;
  if (below.length > mostFoldersDeep) listing.problems.add(`${shown} is not searched: it lies in too many folders.`);
  else withFolderIn(folder, name, (next) => listFolder(listing, source, next, below));
}

function addFile(listing: Listing, { source, folder, name, below }: Entry, stats: BigIntStats, shown: string): void {
  if (source.kind === "folder" && below.length === 0) return;
  if (mayBeElsewhere(source, stats))
    listing.problems.add(
      `${shown} is not searched: it has further names (hard links), which may lie elsewhere. Copy it.`,
    );
  else if (stats.size > mostBytes)
    listing.problems.add(`${shown} is not searched: it is larger than 4 MB. Divide it into several files.`);
  else {
    checkReadable(folder, name);
    const found = nameBelow(source, below);
    listing.files.set(found, { name: found, stamp: stampOf(stats) });
  }
}

function isFull({ files, entries }: Listing): boolean {
  return files.size >= mostFiles || entries >= mostEntries;
}

function noteUnusable(listing: Listing, shown: string, stats: BigIntStats | undefined): void {
  const what = stats ? "is neither a folder nor a Markdown file" : "is not there";
  listing.problems.add(`${shown} is not searched: it ${what}. Change memory.extraPaths.`);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "it is not there",
  EACCES: "it may not be read",
  EPERM: "it may not be read",
  ELOOP: "a link lies on the way to it, and links are not followed",
  ENOTDIR: "a link or a file lies on the way to it",
};

function noteFailure(listing: Listing, shown: string, cause: unknown): void {
  const code = codeOf(cause);
  const reason = code === undefined ? reasonOf(cause) : (reasons[code] ?? code);
  listing.problems.add(`${shown} is not searched: ${visibleLine(reason)}.`);
}

function firstOf(problems: readonly string[]): readonly string[] {
  const more = problems.length - mostProblems;
  return more <= 0 ? problems : [...problems.slice(0, mostProblems), `${more} more files or folders are not searched.`];
}
