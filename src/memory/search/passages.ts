// From the weights of single units to what is shown: passages of neighbouring units, or single units that fit a budget.
import { at, none, type UnitTable } from "../index/unit-table.ts";

/** Units of one session in their order. */
export type Passage = {
  units: readonly number[];
  weight: number;
  /** From 0 to 1, where the order itself is a score. */
  score?: number;
};

/** What a search answers with. `best`: the one of its units that fits best. */
export type Find = { units: readonly number[]; best: number; score: number; why: readonly string[] };

type Stretch = { from: number; to: number; sum: number };

const charactersInToken = 4;

/** Again and again the stretch of one session, within so many tokens, whose weights sum to most. No unit is in two of them. */
export function choosePassages(
  table: UnitTable,
  weights: ReadonlyMap<number, number>,
  { mostTokens, most }: { mostTokens: number; most: number },
): readonly Passage[] {
  const sessions = new Map<number, number[]>();
  for (const unit of weights.keys()) {
    const session = at(table.session, unit);
    if (!sessions.has(session)) sessions.set(session, unitsOf(table, session));
  }
  const taken = new Set<number>();
  const found: Passage[] = [];
  const best = new Map([...sessions].map(([session, units]) => [session, bestStretch(units)]));
  while (found.length < most) {
    const [session, stretch] = heaviest(best);
    if (stretch.sum <= 0) break;
    const units = sessions.get(session) ?? [];
    const passage = units.slice(stretch.from, stretch.to);
    found.push({ units: passage, weight: stretch.sum });
    for (const unit of passage) taken.add(unit);
    best.set(session, bestStretch(units));
  }
  return found;

  /** A window that moves over the units that are still free. */
  function bestStretch(units: readonly number[]): Stretch {
    const top: Stretch = { from: 0, to: 0, sum: 0 };
    let [from, tokens, sum] = [0, 0, 0];
    for (const [to, unit] of units.entries()) {
      if (taken.has(unit)) {
        [from, tokens, sum] = [to + 1, 0, 0];
        continue;
      }
      tokens += tokensOf(table, unit);
      sum += weights.get(unit) ?? 0;
      for (; tokens > mostTokens && from < to; from++) {
        tokens -= tokensOf(table, units[from] ?? none);
        sum -= weights.get(units[from] ?? none) ?? 0;
      }
      if (sum > top.sum + 1e-12) Object.assign(top, { from, to: to + 1, sum });
    }
    return top;
  }
}

function heaviest(stretches: ReadonlyMap<number, Stretch>): readonly [session: number, Stretch] {
  let top: readonly [number, Stretch] = [none, { from: 0, to: 0, sum: 0 }];
  for (const entry of stretches) if (entry[1].sum > top[1].sum) top = entry;
  return top;
}

/** The best first by what they weigh for their length, until the budget is used up. */
export function packUnits(
  table: UnitTable,
  weights: ReadonlyMap<number, number>,
  { mostTokens, most, lengthPower }: { mostTokens: number; most: number; lengthPower: number },
): readonly Passage[] {
  const value = (unit: number) => (weights.get(unit) ?? 0) / tokensOf(table, unit) ** lengthPower;
  const ordered = [...weights.keys()].sort((one, other) => value(other) - value(one) || one - other);
  const found: Passage[] = [];
  let tokens = 0;
  for (const unit of ordered) {
    tokens += tokensOf(table, unit);
    if (tokens > mostTokens || found.length >= most) break;
    found.push({ units: [unit], weight: weights.get(unit) ?? 0 });
  }
  return found;
}

function tokensOf(table: UnitTable, unit: number): number {
  return Math.max(1, at(table.characters, unit)) / charactersInToken;
}

function unitsOf(table: UnitTable, session: number): number[] {
  const units: number[] = [];
  for (let unit = table.sessions.get(session)?.first ?? none; unit !== none; unit = at(table.next, unit))
    units.push(unit);
  return units;
}
