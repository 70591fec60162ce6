// From numbers of units to what is told of them: where they stand, when and by whom it was written, and the words.
import type { MemoryFind, MemoryPlace } from "../../contract/memory/memory-place.ts";
import type { IndexFile } from "../index/index-file.ts";
import type { Index } from "../index/open-index.ts";
import type { UnitText } from "../index/unit-texts.ts";
import type { Find } from "../search/passages.ts";
import { spoken } from "../units/unit.ts";

type Source = { kind: string; name: string };

export function toFinds({ file, texts: known }: Index, finds: readonly Find[]): readonly MemoryFind[] {
  const texts = known.of(new Set(finds.flatMap(({ units }) => units)));
  return finds.flatMap(({ units, best, score, why }) => {
    const own = units.flatMap((unit) => texts.get(unit) ?? []);
    return findOf(file, own, texts.get(best), { score, why: [...why] }) ?? [];
  });
}

/** What stands there by now; undefined where it is gone. */
export function readPlaces(
  { file, texts: known }: Index,
  places: readonly MemoryPlace[],
): readonly (MemoryFind | undefined)[] {
  return places.map((place) => {
    const ids = unitsAt(file, place);
    const texts = known.of(ids);
    const { score, why } = place;
    return findOf(
      file,
      ids.flatMap((id) => texts.get(id) ?? []),
      undefined,
      { score, why },
    );
  });
}

function unitsAt(file: IndexFile, place: MemoryPlace): readonly number[] {
  const { path, sessionKey } = place;
  const [from, to] = path === undefined ? [place.fromSeq, place.toSeq] : [place.startLine, place.endLine];
  const rows = file.lists(
    `SELECT units.id FROM units JOIN sessions ON sessions.id = units.session JOIN sources ON sources.id = sessions.source
     WHERE sources.kind = ? AND sources.name = ? AND units.to_place >= ? AND units.from_place <= ? ORDER BY sessions.day, units.place`,
    ...[path === undefined ? "conversation" : "file", path ?? sessionKey ?? ""],
    ...[from ?? 0, to ?? from ?? Number.MAX_SAFE_INTEGER],
  );
  return rows.map(([id]) => Number(id));
}

function findOf(
  file: IndexFile,
  units: readonly UnitText[],
  best: UnitText | undefined,
  told: { score: number; why: string[] },
): MemoryFind | undefined {
  const [first] = units;
  const source = first && sourceOf(file, first.session);
  if (!first || !source) return undefined;
  const from = Math.min(...units.map((unit) => unit.from));
  const to = Math.max(...units.map((unit) => unit.to));
  const days = new Set(units.map(({ day }) => day));
  const date = days.size === 1 ? first.day : "";
  const isFile = source.kind === "file";
  return {
    ...(isFile
      ? { path: source.name, startLine: from, endLine: to }
      : { sessionKey: source.name, fromSeq: from, toSeq: to }),
    ...(date !== "" && { date }),
    ...told,
    text: wordsOf(units),
    ...(best && { best: bestOf(best, isFile) }),
    speakers: [...new Set(units.map(({ speaker }) => speaker).filter((speaker) => speaker !== ""))],
    labels: [...new Set(units.flatMap(({ labels }) => readLabels(labels)))].sort(),
  };
}

/** With the headings that they stand below: without "# Rosa" nobody knows of whom it speaks. */
function wordsOf(units: readonly UnitText[]): string {
  let heading = "";
  return units
    .flatMap((unit) => {
      const isNew = unit.context !== "" && unit.context !== heading && unit.context !== unit.text;
      heading = unit.context;
      return isNew ? [`# ${unit.context}`, spoken(unit)] : [spoken(unit)];
    })
    .join("\n");
}

function bestOf({ text, speaker, day, from }: UnitText, isFile: boolean): NonNullable<MemoryFind["best"]> {
  const place = isFile ? { startLine: from } : { seq: from };
  return { text, ...(speaker !== "" && { speaker }), ...(day !== "" && { date: day }), ...place };
}

function sourceOf(file: IndexFile, session: number): Source | undefined {
  const [row] = file.lists(
    "SELECT sources.kind, sources.name FROM sessions JOIN sources ON sources.id = sessions.source WHERE sessions.id = ?",
    session,
  );
  return row && { kind: String(row[0]), name: String(row[1]) };
}

function readLabels(labels: string): readonly string[] {
  const read: unknown = JSON.parse(labels);
  return Array.isArray(read) ? read.map(String) : [];
}
