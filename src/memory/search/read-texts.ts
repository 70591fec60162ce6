// The texts of the units that are looked at closely, with their words.
import type { IndexFile } from "../index/index-file.ts";
import { wordsOf } from "../index/open-index.ts";
import type { Unit } from "../units/unit.ts";

export type UnitText = Pick<Unit, "text" | "context" | "speaker" | "day" | "from" | "to"> & {
  session: number;
  labels: string;
  /** In their order, as the index holds them. */
  stems: readonly string[];
};

const columns = "id, session, text, context, speaker, day, from_place, to_place, labels";

export function readTexts(file: IndexFile, ids: Iterable<number>): ReadonlyMap<number, UnitText> {
  const rows = file.lists(
    `SELECT ${columns} FROM units WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify([...ids]),
  );
  return new Map(
    rows.map(([id, session, text, context, speaker, day, from, to, labels]) => {
      const unit = { text: String(text), context: String(context), speaker: String(speaker) };
      return [
        Number(id),
        {
          ...unit,
          ...{ session: Number(session), day: String(day), from: Number(from), to: Number(to), labels: String(labels) },
          stems: wordsOf(unit),
        },
      ];
    }),
  );
}
