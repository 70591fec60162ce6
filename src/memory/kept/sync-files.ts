// Keeps the units of files true to what lies on the disk: what is new or another than before is read, what is gone goes.
import type { Index } from "../index/open-index.ts";
import { listMemoryFiles, readMemoryFile } from "../sources/files.ts";
import type { FilesPlace } from "../sources/files-place.ts";
import { splitMarkdown } from "../units/split-markdown.ts";
import { spoken, type Unit } from "../units/unit.ts";
import {
  addToSource,
  changeIndex,
  removeSource,
  replaceSource,
  type Source,
  stampSource,
  stampsOf,
} from "./sources-table.ts";
import type { VectorKeeper } from "./vector-keeper.ts";

export type FileSync = {
  /** Something may have changed. */
  look(): void;
  /** Looks again if something has changed, if it is cheap, or if that was not done for long. */
  lookFor(news: "changed" | "none" | "unknown"): void;
  /** A file at a time; false: nothing is left to do. */
  next(): Promise<boolean>;
  /** What is not searched, and why. */
  problems(): readonly string[];
};

type Begun = { source: Source; units: readonly Unit[]; at: number };

const mostAtOnce = 500;
const cheapMs = 20;
// less than anybody would notice beside a search
const nearlyNothingMs = 2;
const longMs = 30_000;

export function openFileSync(index: Index, keeper: VectorKeeper, place: FilesPlace): FileSync {
  let isDue = true;
  let lookedAtMs = 0;
  let lookTookMs = 0;
  let problems: readonly string[] = [];
  let names: string[] = [];
  let begun: Begun | undefined;
  return {
    look() {
      isDue = true;
    },
    lookFor(news) {
      const isCheap = lookTookMs < (news === "none" ? nearlyNothingMs : cheapMs);
      isDue ||= news === "changed" || isCheap || performance.now() - lookedAtMs > longMs;
    },
    async next() {
      if (begun) await addSlice(begun);
      else {
        if (isDue) await list();
        const name = names.pop();
        if (name !== undefined) await take(name);
      }
      return begun !== undefined || names.length > 0;
    },
    problems: () => problems,
  };

  async function list(): Promise<void> {
    isDue = false;
    lookedAtMs = performance.now();
    const found = await listMemoryFiles(place);
    lookTookMs = performance.now() - lookedAtMs;
    ({ problems } = found);
    const known = stampsOf(index, "file");
    const there = new Set(found.files.map(({ name }) => name));
    const changed = found.files.filter(({ name, stamp }) => known.get(name) !== stamp).map(({ name }) => name);
    names = [...changed, ...[...known.keys()].filter((name) => !there.has(name))];
  }

  async function take(name: string): Promise<void> {
    const read = await readMemoryFile(place, name);
    if (!read) return changeIndex(index, (changes) => removeSource(index, changes, "file", name));
    const { day, units } = splitMarkdown(name, read.text);
    // until all of it is there it has no stamp, and whoever starts again reads it again
    const source = { kind: "file", name, stamp: "", day } as const;
    changeIndex(index, (changes) => {
      changes.comesBack = new Set(units.map(spoken));
      replaceSource(index, changes, source, []);
    });
    begun = { source: { ...source, stamp: read.stamp }, units, at: 0 };
    await addSlice(begun);
  }

  /** A large file is no reason for others to wait. */
  async function addSlice(file: Begun): Promise<void> {
    const slice = file.units.slice(file.at, file.at + mostAtOnce);
    const added = await keeper.withRows(slice);
    const isLast = file.at + slice.length >= file.units.length;
    changeIndex(index, (changes) => {
      addToSource(index, changes, file.source, added);
      if (isLast) stampSource(index, file.source);
    });
    file.at += slice.length;
    if (isLast) begun = undefined;
  }
}
