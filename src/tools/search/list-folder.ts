// What a folder holds, down to a depth: folders first, every name looked up in a folder that is held open.
import type { Dirent, Stats } from "node:fs";
import { lstat, opendir, readlink } from "node:fs/promises";
import { type EntryKind, kindOf } from "../paths/entry-kind.ts";
import { beneath, type HeldFolder, withFolder } from "../paths/held-folder.ts";
import { orOn, orRefusal, type Refusal } from "../paths/refusal.ts";
import { isTemporaryName } from "../paths/reserved-names.ts";
import type { Place } from "../paths/workspace-path.ts";

export type Entry = {
  /** Relative to the folder that was listed. */
  path: string;
  kind: EntryKind;
  /** Missing when the entry went away while it was being looked at. */
  stats: Stats | undefined;
  target: string | undefined;
};
export type Listing = {
  entries: readonly Entry[];
  notShown: number;
  /** There is more than was counted. */
  isCountCut: boolean;
  unreadable: readonly string[];
};
type Level = { entries: readonly Entry[]; notShown: number; isCountCut: boolean };

const mostEntries = 1000;
const mostNamesOfFolder = 50_000;

/** Level by level, so that a large folder further down cannot crowd out what lies on top. */
export async function listFolder(place: Place, depth: number, signal: AbortSignal): Promise<Listing | Refusal> {
  const entries: Entry[] = [];
  const unreadable: string[] = [];
  let notShown = 0;
  let isCountCut = false;
  const waiting: { place: Place; prefix: string; level: number }[] = [{ place, prefix: "", level: 1 }];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (signal.aborted) return { refused: "The listing was stopped." };
    const { prefix, level } = next;
    const found = await readLevel(next.place, prefix, mostEntries - entries.length);
    if ("refused" in found) {
      if (level === 1) return found;
      unreadable.push(prefix);
      continue;
    }
    entries.push(...found.entries);
    notShown += found.notShown;
    isCountCut ||= found.isCountCut || (level < depth && found.notShown > 0);
    if (level === depth) continue;
    for (const folder of found.entries.filter(({ kind }) => kind === "folder")) {
      const parts = [...place.parts, ...folder.path.split("/")];
      waiting.push({ place: { root: place.root, parts }, prefix: `${folder.path}/`, level: level + 1 });
    }
  }
  return { entries, notShown, isCountCut, unreadable };
}

async function readLevel(place: Place, prefix: string, room: number): Promise<Level | Refusal> {
  return orRefusal(`The folder cannot be listed`, () =>
    withFolder(place, "refuse", async (folder) => {
      const { names, isCountCut } = await readNames(folder);
      const shown = names.slice(0, room);
      const entries = await Promise.all(shown.map((name) => lookAt(folder, name, prefix)));
      return { entries, notShown: names.length - shown.length, isCountCut };
    }),
  );
}

async function readNames(folder: HeldFolder): Promise<{ names: readonly Dirent[]; isCountCut: boolean }> {
  const names: Dirent[] = [];
  let isCountCut = false;
  for await (const entry of await opendir(beneath(folder, "."))) {
    if (isTemporaryName(entry.name)) continue;
    isCountCut = names.length >= mostNamesOfFolder;
    if (isCountCut) break;
    names.push(entry);
  }
  names.sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1));
  return { names, isCountCut };
}

async function lookAt(folder: HeldFolder, entry: Dirent, prefix: string): Promise<Entry> {
  const at = beneath(folder, entry.name);
  const path = prefix + entry.name;
  // removed or exchanged for something else since its name was read
  const orGone = orOn(["ENOENT", "EINVAL"], undefined);
  const stats = await lstat(at).catch(orGone);
  const kind = kindOf(stats ?? entry);
  return { path, kind, stats, target: kind === "link" ? await readlink(at).catch(orGone) : undefined };
}
