// How well each unit fits by its words (BM25), alone and together with its neighbours and its session. The postings come from FTS5,
// term by term, so that the same ones serve all of it.
import type { Index } from "../../index/open-index.ts";
import { at, none, type UnitTable } from "../../index/unit-table.ts";
import { type Standard, standardOf } from "./standard.ts";

/** By the number of the unit; `standard` over all of them. */
export type Scores = { of: Float32Array; standard: Standard };

export type KeywordScores = {
  /** Of the question's own words. */
  exact: Scores;
  /** With words that mean something like them. */
  wide: Scores;
  /** With the words of neighbours, the less the farther away. */
  around: Scores;
  /** By the number of the session. */
  session: Scores;
  /** How rare each word of the question is; none that stands nowhere. */
  rarity: ReadonlyMap<string, number>;
};

const comma = 0x2c;
const zero = 0x30;
const saturation = 1.2;
const lengthShare = 0.75;
const furtherShare = 0.6;
const aroundShares = [1, 0.5, 0.3, 0.15];
// words that mean something like the question's are worth less time the more there is to read
const mostFurtherPostings = 60_000;

export function scoreKeywords(
  { file, table, counts }: Index,
  stems: readonly string[],
  further: ReadonlyMap<string, number>,
): KeywordScores {
  const rarity = new Map<string, number>();
  const bySession = sessionScores(table);
  const exact = new Float32Array(table.size);
  const around = new Float32Array(table.size);
  const spread = new Float32Array(table.size);
  const lengths = table.live === 0 ? 1 : totalTerms(table) / table.live;
  for (const stem of stems) {
    const units = postingsOf(stem);
    if (units.length === 0) continue;
    const weight = rarityOf(distinct(units), table.live);
    rarity.set(stem, weight);
    addScores(exact, units, weight, table, lengths);
    addAround(around, spread, units, weight, table);
    bySession.add(units);
  }
  const wide = exact.slice();
  let left = mostFurtherPostings;
  for (const [stem, likeness] of further) {
    const expected = counts.of(stem);
    if (expected > left) continue;
    left -= expected;
    const units = postingsOf(stem);
    if (units.length > 0)
      addScores(wide, units, furtherShare * likeness * rarityOf(distinct(units), table.live), table, lengths);
  }
  return {
    exact: withStandard(exact, table.live),
    wide: withStandard(wide, table.live),
    around: withStandard(around, table.live),
    session: bySession.scores(),
    rarity,
  };

  /** A unit stands there once for each time it holds the word, in order. */
  function postingsOf(stem: string): Int32Array {
    // as one text, since a row of its own for each would take several times as long
    const [row] = file.lists("SELECT group_concat(doc) FROM unit_word_places WHERE term = ?", stem);
    return typeof row?.[0] === "string" ? readNumbers(row[0]) : new Int32Array(0);
  }
}

function readNumbers(text: string): Int32Array {
  const numbers = new Int32Array(Math.ceil(text.length / 2));
  let count = 0;
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === comma) {
      numbers[count++] = number;
      number = 0;
    } else number = number * 10 + code - zero;
  }
  numbers[count++] = number;
  return numbers.subarray(0, count);
}

/** The rarer a word is, the more it says. */
export function rarityOf(units: number, all: number): number {
  return Math.max(1e-6, Math.log((all - units + 0.5) / (units + 0.5)));
}

function distinct(units: Int32Array): number {
  let count = 0;
  for (let place = 0; place < units.length; place++) if (units[place] !== units[place - 1]) count++;
  return count;
}

function totalTerms(table: UnitTable): number {
  let total = 0;
  for (const { terms } of table.sessions.values()) total += terms;
  return total;
}

/** Calls back with each unit and how often it holds the word. */
function eachUnit(units: Int32Array, take: (unit: number, times: number) => void): void {
  for (let place = 0; place < units.length; ) {
    const unit = at(units, place);
    let times = 0;
    while (units[place] === unit) {
      place++;
      times++;
    }
    take(unit, times);
  }
}

function addScores(into: Float32Array, units: Int32Array, weight: number, table: UnitTable, mean: number): void {
  eachUnit(units, (unit, times) => {
    const length = 1 - lengthShare + (lengthShare * at(table.terms, unit)) / mean;
    into[unit] = (into[unit] ?? 0) + (weight * times * (saturation + 1)) / (times + saturation * length);
  });
}

/** Counts are spread before they are saturated: a word that a neighbour says is nearly as good as one's own. */
function addAround(
  into: Float32Array,
  spread: Float32Array,
  units: Int32Array,
  weight: number,
  table: UnitTable,
): void {
  const touched: number[] = [];
  const count = (unit: number, value: number) => {
    if (spread[unit] === 0) touched.push(unit);
    spread[unit] = (spread[unit] ?? 0) + value;
  };
  eachUnit(units, (unit, times) => {
    count(unit, times);
    for (const column of [table.previous, table.next]) {
      let other = unit;
      for (let distance = 1; distance < aroundShares.length; distance++) {
        other = at(column, other);
        if (other === none) break;
        count(other, times * (aroundShares[distance] ?? 0));
      }
    }
  });
  for (const unit of touched) {
    const value = spread[unit] ?? 0;
    into[unit] = (into[unit] ?? 0) + (weight * value * (saturation + 1)) / (value + saturation);
    spread[unit] = 0;
  }
}

/** A session as one long text. */
function sessionScores(table: UnitTable) {
  let last = 0;
  let terms = 0;
  for (const [key, session] of table.sessions) {
    last = Math.max(last, key);
    terms += session.terms;
  }
  const of = new Float32Array(last + 1);
  const times = new Float32Array(last + 1);
  const mean = Math.max(1, terms / Math.max(1, table.sessions.size));
  return {
    add(units: Int32Array): void {
      const touched: number[] = [];
      for (const unit of units) {
        const session = at(table.session, unit);
        if (session === none) continue;
        if (times[session] === 0) touched.push(session);
        times[session] = (times[session] ?? 0) + 1;
      }
      const weight = rarityOf(touched.length, table.sessions.size);
      for (const session of touched) {
        const length = 1 - lengthShare + (lengthShare * (table.sessions.get(session)?.terms ?? 0)) / mean;
        const value = times[session] ?? 0;
        of[session] = (of[session] ?? 0) + (weight * value * (saturation + 1)) / (value + saturation * length);
        times[session] = 0;
      }
    },
    scores: (): Scores => withStandard(of, table.sessions.size),
  };
}

/** Units that are not there have a score of zero and are not counted. */
function withStandard(of: Float32Array, count: number): Scores {
  let sum = 0;
  let squares = 0;
  for (let place = 0; place < of.length; place++) {
    const value = of[place] ?? 0;
    sum += value;
    squares += value * value;
  }
  return { of, standard: standardOf(sum, squares, count) };
}
