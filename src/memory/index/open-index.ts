// One index: its file, and in memory the columns and vectors that every search goes through. Units come in and go out by the session
// they belong to; what is on disk and what is in memory change together.
import { spoken, type Unit } from "../units/unit.ts";
import { openBitVectors } from "../vectors/bit-vectors.ts";
import { type Centre, meanOf } from "../vectors/centred.ts";
import { openExactVectors } from "../vectors/exact-vectors.ts";
import { readRow } from "../vectors/row-bytes.ts";
import type { VectorsInMemory } from "../vectors/vectors-in-memory.ts";
import type { IndexFile } from "./index-file.ts";
import { addToTable, findFreeNumbers, newNumber, newUnitTable, removeFromTable, type UnitTable } from "./unit-table.ts";
import { openUnitTexts, stemsOf, type UnitTexts } from "./unit-texts.ts";
import { openWordCounts, type WordCounts } from "./word-counts.ts";

export type Index = {
  file: IndexFile;
  table: UnitTable;
  texts: UnitTexts;
  counts: WordCounts;
  /** Undefined while there is no vector at all. */
  vectors: { centre: Centre; memory: VectorsInMemory; count: number } | undefined;
};

/** `row`: the vector as it is kept; left out where it is made later. */
export type UnitToAdd = { unit: Unit; row?: Int8Array | undefined };

/** Up to so many vectors are compared one by one; beyond, their bits choose which are looked at. */
const mostExact = 25_000;
// a mean over more would hardly be another
const mostForMean = 20_000;

export function loadIndex(file: IndexFile): Index {
  const parts = { table: newUnitTable(), texts: openUnitTexts(file), counts: openWordCounts() };
  const index: Index = { file, ...parts, vectors: undefined };
  const units = "SELECT id, session, terms, characters, speaker FROM units ORDER BY session, place";
  file.each(units, ([id, session, terms, characters, speaker]) =>
    addToTable(index.table, {
      ...{ id: Number(id), session: Number(session), terms: Number(terms) },
      ...{ characters: Number(characters), speaker: String(speaker) },
    }),
  );
  findFreeNumbers(index.table);
  file.each("SELECT term, doc FROM unit_word_counts", ([word, units]) => index.counts.set(String(word), Number(units)));
  loadVectors(index);
  return index;
}

/** Also when so many have come that another way to hold them, or another mean, is due. */
export function loadVectors(index: Index): void {
  const { file } = index;
  const count = Number(file.get("SELECT COUNT(*) AS count FROM vectors")?.count);
  index.vectors = undefined;
  if (count === 0) return;
  const step = Math.ceil(count / mostForMean);
  const sample: Int8Array[] = [];
  file.each("SELECT row FROM vectors WHERE id % ? = 0", ([row]) => keep(sample, row), step);
  const centre = meanOf(sample, sample[0]?.length ?? 0);
  if (centre.of === 0) return;
  const memory = count <= mostExact ? openExactVectors(centre) : openBitVectors(centre);
  file.each("SELECT id, row FROM vectors", ([id, blob]) => {
    const row = readRow(blob);
    if (row?.length === centre.mean.length) memory.put(Number(id), row);
  });
  index.vectors = { centre, memory, count };
}

function keep(rows: Int8Array[], blob: unknown): void {
  const row = readRow(blob);
  // another length is another model's, which is about to be replaced
  if (row && (rows.length === 0 || row.length === rows[0]?.length)) rows.push(row);
}

/** As the last of the session. Runs inside a transaction; `commitUnits` follows it. */
export function writeUnits(index: Index, session: number, units: readonly UnitToAdd[]): readonly WrittenUnit[] {
  const { file, table } = index;
  const last = file.get("SELECT MAX(place) AS place FROM units WHERE session = ?", session)?.place;
  let place = last === null || last === undefined ? 0 : Number(last) + 1;
  return units.map(({ unit, row }) => {
    const id = newNumber(table);
    const words = stemsOf(unit);
    const characters = spoken(unit).length;
    file.run(
      "INSERT INTO units (id, session, place, text, context, speaker, day, from_place, to_place, labels, characters, terms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      ...[id, session, place++, unit.text, unit.context, unit.speaker, unit.day, unit.from, unit.to],
      ...[JSON.stringify(unit.labels), characters, words.length],
    );
    if (words.length > 0) file.run("INSERT INTO unit_words (rowid, words) VALUES (?, ?)", id, words.join(" "));
    if (row) file.run("INSERT OR REPLACE INTO vectors (id, row) VALUES (?, ?)", id, bytesOf(row));
    return {
      id,
      session,
      terms: words.length,
      characters,
      speaker: unit.speaker,
      words: new Set(words),
      row,
      text: spoken(unit),
    };
  });
}

export type WrittenUnit = {
  id: number;
  session: number;
  terms: number;
  characters: number;
  speaker: string;
  words: ReadonlySet<string>;
  row: Int8Array | undefined;
  text: string;
};

export function commitUnits(index: Index, written: readonly WrittenUnit[]): void {
  for (const unit of written) {
    addToTable(index.table, unit);
    index.counts.add(unit.words);
    if (unit.row && index.vectors) {
      index.vectors.memory.put(unit.id, unit.row);
      index.vectors.count++;
    }
  }
  if (isVectorReloadDue(index, written)) loadVectors(index);
}

function bytesOf(row: Int8Array): Uint8Array {
  return new Uint8Array(row.buffer, row.byteOffset, row.byteLength);
}

export type NewVector = { id: number; row: Int8Array };

/** Of units that had none. Runs inside a transaction; `commitVectors` follows it. */
export function writeVectors({ file }: Index, table: "vectors" | "next_vectors", rows: readonly NewVector[]): void {
  for (const { id, row } of rows) file.run(`INSERT OR REPLACE INTO ${table} (id, row) VALUES (?, ?)`, id, bytesOf(row));
}

export function commitVectors(index: Index, rows: readonly NewVector[]): void {
  const { vectors } = index;
  if (vectors) {
    for (const { id, row } of rows) vectors.memory.put(id, row);
    vectors.count += rows.length;
  }
  if (isVectorReloadDue(index, rows)) loadVectors(index);
}

/** Runs inside a transaction; `commitRemoval` follows it. */
export function eraseUnits(index: Index, ids: readonly number[]): readonly RemovedUnit[] {
  const { file } = index;
  return ids.map((id) => {
    const row = file.get("SELECT text, context, speaker FROM units WHERE id = ?", id);
    const words = row
      ? stemsOf({ text: String(row.text), context: String(row.context), speaker: String(row.speaker) })
      : [];
    // an index without texts must be told again what it holds
    if (words.length > 0)
      file.run("INSERT INTO unit_words (unit_words, rowid, words) VALUES ('delete', ?, ?)", id, words.join(" "));
    file.run("DELETE FROM units WHERE id = ?", id);
    file.run("DELETE FROM vectors WHERE id = ?", id);
    file.run("DELETE FROM next_vectors WHERE id = ?", id);
    const text = row && spoken({ text: String(row.text), speaker: String(row.speaker) });
    return { id, words: new Set(words), text };
  });
}

export type RemovedUnit = { id: number; words: ReadonlySet<string>; text: string | undefined };

export function commitRemoval(index: Index, removed: readonly RemovedUnit[]): void {
  for (const { id, words } of removed) {
    removeFromTable(index.table, id);
    index.texts.forget(id);
    index.counts.remove(words);
    if (index.vectors?.memory.remove(id)) index.vectors.count--;
  }
}

function isVectorReloadDue({ vectors }: Index, written: readonly { row: Int8Array | undefined }[]): boolean {
  if (!vectors) return written.some(({ row }) => row !== undefined);
  if (vectors.memory.isExact && vectors.count > mostExact) return true;
  return vectors.count > vectors.centre.of * 2 && vectors.centre.of < mostForMean / 2;
}
