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

export type SourceKind = "file" | "conversation";

/** What changed on disk and must now change in memory, too. */
export type Changes = { removed: RemovedUnit[]; written: WrittenUnit[] };

/** Runs the work in a transaction of the file, and does the same in memory once it is on disk. */
export function changeIndex(index: Index, work: (changes: Changes) => void): void {
  const changes: Changes = { removed: [], written: [] };
  index.file.transaction(() => work(changes));
  commitRemoval(index, changes.removed);
  commitUnits(index, changes.written);
}

export function stampsOf({ file }: Index, kind: SourceKind): ReadonlyMap<string, string> {
  const rows = file.lists("SELECT name, stamp FROM sources WHERE kind = ?", kind);
  return new Map(rows.map(([name, stamp]) => [String(name), String(stamp)]));
}

/** In the place of all that was known of it. */
export function replaceSource(
  index: Index,
  changes: Changes,
  source: { kind: SourceKind; name: string; stamp: string; day: string },
  units: readonly UnitToAdd[],
): void {
  removeSource(index, changes, source.kind, source.name);
  const id = sourceId(index, source.kind, source.name, source.stamp);
  changes.written.push(...writeUnits(index, sessionId(index, id, source.day), units));
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

/** As the last of that day. */
export function addToConversation(
  index: Index,
  changes: Changes,
  { name, day }: { name: string; day: string },
  units: readonly UnitToAdd[],
): void {
  const source = sourceId(index, "conversation", name, "");
  changes.written.push(...writeUnits(index, sessionId(index, source, day), units));
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
