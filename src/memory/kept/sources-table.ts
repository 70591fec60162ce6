// What an index was made of: files and conversations, and the sessions that their units are in.
import type { Index } from "../index/open-index.ts";
import {
  commitRemoval,
  commitUnits,
  eraseUnits,
  type RemovedUnit,
  type UnitToAdd,
  type WrittenUnit,
  writeUnits,
} from "../index/open-index.ts";
import { hashOfText } from "./hash-of-text.ts";

export type SourceKind = "file" | "conversation";

export type Source = { kind: SourceKind; name: string; stamp: string; day: string };

/** What changed on disk and must now change in memory, too. */
export type Changes = {
  removed: RemovedUnit[];
  written: WrittenUnit[];
  /** Texts that come back in a later change. */
  comesBack?: ReadonlySet<string>;
};

/** Runs the work in a transaction of the file, and does the same in memory once it is on disk. */
export function changeIndex(index: Index, work: (changes: Changes) => void): void {
  const changes: Changes = { removed: [], written: [] };
  index.file.transaction(() => {
    work(changes);
    forgetCached(index, changes);
  });
  commitRemoval(index, changes.removed);
  commitUnits(index, changes.written);
}

/** Of a text that is gone nothing stays; one that is written anew keeps its vector. */
function forgetCached({ file }: Index, { removed, written, comesBack }: Changes): void {
  if (removed.length === 0 || !file.get("SELECT 1 FROM embedding_cache LIMIT 1")) return;
  const there = new Set(written.map(({ text }) => text));
  const gone = removed.filter(({ text }) => text !== undefined && !there.has(text) && !comesBack?.has(text));
  for (const { text = "" } of gone) file.run("DELETE FROM embedding_cache WHERE hash = ?", hashOfText(text));
}

export function stampsOf({ file }: Index, kind: SourceKind): ReadonlyMap<string, string> {
  const rows = file.lists("SELECT name, stamp FROM sources WHERE kind = ?", kind);
  return new Map(rows.map(([name, stamp]) => [String(name), String(stamp)]));
}

/** In the place of all that was known of it. */
export function replaceSource(index: Index, changes: Changes, source: Source, units: readonly UnitToAdd[]): void {
  removeSource(index, changes, source.kind, source.name);
  sourceId(index, source.kind, source.name, source.stamp);
  addToSource(index, changes, source, units);
}

/** As the last of that day; it has the stamp it had. */
export function addToSource(
  index: Index,
  changes: Changes,
  { kind, name, day }: Source,
  units: readonly UnitToAdd[],
): void {
  const known = index.file.get("SELECT id FROM sources WHERE kind = ? AND name = ?", kind, name)?.id;
  const id = known === undefined ? sourceId(index, kind, name, "") : Number(known);
  changes.written.push(...writeUnits(index, sessionId(index, id, day), units));
}

/** What stands in the index is what it holds. */
export function stampSource({ file }: Index, { kind, name, stamp }: Source): void {
  file.run("UPDATE sources SET stamp = ? WHERE kind = ? AND name = ?", stamp, kind, name);
}

export function removeSource(index: Index, changes: Changes, kind: SourceKind, name: string): void {
  const { file } = index;
  const source = file.get("SELECT id FROM sources WHERE kind = ? AND name = ?", kind, name)?.id;
  if (source === undefined) return;
  const rows = file.lists(
    "SELECT units.id FROM units JOIN sessions ON sessions.id = units.session WHERE sessions.source = ?",
    Number(source),
  );
  changes.removed.push(...eraseUnits(index, numbers(rows)));
  file.run("DELETE FROM sessions WHERE source = ?", Number(source));
  file.run("DELETE FROM sources WHERE id = ?", Number(source));
}

/** Takes out what was said there in these events. */
export function removeMessages(
  index: Index,
  changes: Changes,
  name: string,
  which: string,
  ...values: (number | string)[]
): void {
  const rows = index.file.lists(
    `SELECT units.id FROM units JOIN sessions ON sessions.id = units.session JOIN sources ON sources.id = sessions.source
     WHERE sources.kind = 'conversation' AND sources.name = ? AND ${which}`,
    name,
    ...values,
  );
  changes.removed.push(...eraseUnits(index, numbers(rows)));
}

/** What is left of a conversation in which nothing stands any more: it may be in use again by now. */
export function removeEmpty({ file }: Index, name: string): void {
  file.run(
    `DELETE FROM sessions WHERE source IN (SELECT id FROM sources WHERE kind = 'conversation' AND name = ?)
       AND NOT EXISTS (SELECT 1 FROM units WHERE units.session = sessions.id)`,
    name,
  );
  file.run(
    `DELETE FROM sources WHERE kind = 'conversation' AND name = ?
       AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.source = sources.id)`,
    name,
  );
}

function sourceId({ file }: Index, kind: SourceKind, name: string, stamp: string): number {
  file.run(
    "INSERT INTO sources (kind, name, stamp) VALUES (?, ?, ?) ON CONFLICT (kind, name) DO UPDATE SET stamp = excluded.stamp",
    ...[kind, name, stamp],
  );
  return Number(file.get("SELECT id FROM sources WHERE kind = ? AND name = ?", kind, name)?.id);
}

function sessionId({ file }: Index, source: number, day: string): number {
  const known = file.get("SELECT id FROM sessions WHERE source = ? AND day = ?", source, day)?.id;
  if (known !== undefined) return Number(known);
  file.run("INSERT INTO sessions (source, day) VALUES (?, ?)", source, day);
  return Number(file.get("SELECT last_insert_rowid() AS id")?.id);
}

function numbers(rows: readonly (readonly unknown[])[]): readonly number[] {
  return rows.map(([id]) => Number(id));
}
