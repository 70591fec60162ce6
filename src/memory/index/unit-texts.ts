// The texts of the units that are looked at closely, with their words. Those that were looked at last stay in memory: whoever asks once
// more asks about much the same.
import { stemOf, tellingWords } from "../text/words.ts";
import { spoken, type Unit } from "../units/unit.ts";
import type { IndexFile } from "./index-file.ts";

export type UnitText = Pick<Unit, "text" | "context" | "speaker" | "day" | "from" | "to"> & {
  session: number;
  labels: string;
  /** In their order, as the index holds them. */
  stems: readonly string[];
};

export type UnitTexts = {
  of(ids: Iterable<number>): ReadonlyMap<number, UnitText>;
  /** The unit is gone, and its number may become another's. */
  forget(id: number): void;
};

const columns = "id, session, text, context, speaker, day, from_place, to_place, labels";
// some megabytes
const mostCharacters = 1_500_000;

export function openUnitTexts(file: IndexFile): UnitTexts {
  // the one that was looked at longest ago first
  const held = new Map<number, UnitText>();
  let characters = 0;
  return { of, forget };

  function of(ids: Iterable<number>): ReadonlyMap<number, UnitText> {
    const found = new Map<number, UnitText>();
    const unknown: number[] = [];
    for (const id of ids) {
      const text = held.get(id);
      if (text) {
        found.set(id, text);
        held.delete(id);
        held.set(id, text);
      } else unknown.push(id);
    }
    for (const [id, text] of read(unknown)) {
      found.set(id, text);
      hold(id, text);
    }
    return found;
  }

  function read(ids: readonly number[]): readonly (readonly [number, UnitText])[] {
    if (ids.length === 0) return [];
    const rows = file.lists(
      `SELECT ${columns} FROM units WHERE id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(ids),
    );
    return rows.map(([id, session, text, context, speaker, day, from, to, labels]) => {
      const unit = { text: String(text), context: String(context), speaker: String(speaker) };
      const place = { session: Number(session), day: String(day), from: Number(from), to: Number(to) };
      return [Number(id), { ...unit, ...place, labels: String(labels), stems: stemsOf(unit) }];
    });
  }

  function hold(id: number, text: UnitText): void {
    held.set(id, text);
    characters += sizeOf(text);
    for (const [oldest] of held) {
      if (characters <= mostCharacters) return;
      forget(oldest);
    }
  }

  function forget(id: number): void {
    const text = held.get(id);
    if (text) characters -= sizeOf(text);
    held.delete(id);
  }
}

/** The words by which a unit is found. */
export function stemsOf(unit: Pick<Unit, "context" | "speaker" | "text">): readonly string[] {
  return tellingWords(`${unit.context} ${spoken(unit)}`).map(stemOf);
}

/** With its words about thrice. */
function sizeOf({ text, context }: UnitText): number {
  return 3 * (text.length + context.length);
}
