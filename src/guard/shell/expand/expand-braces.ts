import type { Budget } from "../budget.ts";
import { charUnits, isBare, type Unit } from "./units.ts";

/** Past this many words the answer is undefined and the command is refused. */
const mostWords = 1024;

/** `{a,b}` and `{1..3}` as bash expands them, before anything else happens to the word. */
export function expandBraces(budget: Budget, units: readonly Unit[]): Unit[][] | undefined {
  if (!units.some((unit) => isBare(unit, "{"))) return [[...units]];
  const words = expandFrom(budget, units);
  return words.length > mostWords ? undefined : words;
}

function expandFrom(budget: Budget, units: readonly Unit[]): Unit[][] {
  budget.spend(units.length);
  for (let open = 0; open < units.length; open++) {
    if (!isBare(units[open], "{")) continue;
    const close = matchingBrace(budget, units, open);
    if (close === undefined) continue;
    const inner = alternatives(budget, units.slice(open + 1, close));
    if (!inner) continue;
    const before = units.slice(0, open);
    const after = expandFrom(budget, units.slice(close + 1));
    return combine(budget, before, inner, after);
  }
  return [[...units]];
}

function combine(
  budget: Budget,
  before: readonly Unit[],
  inner: readonly Unit[][],
  after: readonly Unit[][],
): Unit[][] {
  const words: Unit[][] = [];
  for (const middle of inner) {
    for (const end of after) {
      budget.spend(before.length + middle.length + end.length);
      words.push([...before, ...middle, ...end]);
      if (words.length > mostWords) return words;
    }
  }
  return words;
}

function matchingBrace(budget: Budget, units: readonly Unit[], open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < units.length; at++) {
    budget.spend(1);
    if (isBare(units[at], "{")) depth++;
    else if (isBare(units[at], "}") && --depth === 0) return at;
  }
  return undefined;
}

function alternatives(budget: Budget, inner: readonly Unit[]): Unit[][] | undefined {
  const pieces = splitAtCommas(inner);
  if (pieces.length > 1) {
    const words: Unit[][] = [];
    for (const piece of pieces) {
      words.push(...expandFrom(budget, piece));
      if (words.length > mostWords) break;
    }
    return words;
  }
  return sequence(inner);
}

function splitAtCommas(inner: readonly Unit[]): Unit[][] {
  const pieces: Unit[][] = [[]];
  let depth = 0;
  for (const unit of inner) {
    if (isBare(unit, "{")) depth++;
    if (isBare(unit, "}")) depth--;
    if (depth === 0 && isBare(unit, ",")) pieces.push([]);
    else pieces.at(-1)?.push(unit);
  }
  return pieces;
}

function sequence(inner: readonly Unit[]): Unit[][] | undefined {
  if (!inner.every((unit) => unit.kind === "char" && unit.mark === "bare")) return undefined;
  const text = inner.map((unit) => (unit.kind === "char" ? unit.char : "")).join("");
  const numbers = /^([+-]?\d{1,15})\.\.([+-]?\d{1,15})(?:\.\.([+-]?\d{1,15}))?$/.exec(text);
  if (numbers) return numberSequence(numbers[1] ?? "", numbers[2] ?? "", Number(numbers[3] ?? 1));
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.([+-]?\d{1,15}))?$/.exec(text);
  if (!letters) return undefined;
  const first = letters[1]?.codePointAt(0) ?? 0;
  const last = letters[2]?.codePointAt(0) ?? 0;
  return steps(first, last, Number(letters[3] ?? 1)).map((code) => charUnits(String.fromCodePoint(code), "quoted"));
}

function numberSequence(first: string, last: string, step: number): Unit[][] {
  const padded = [first, last].some((end) => /^[+-]?0\d/.test(end));
  const width = padded ? Math.max(first.length, last.length) : 0;
  return steps(Number(first), Number(last), step).map((value) => {
    const digits = String(Math.abs(value));
    const sign = value < 0 ? "-" : "";
    return charUnits(sign + digits.padStart(width - sign.length, "0"), "quoted");
  });
}

function steps(first: number, last: number, step: number): number[] {
  const size = Math.abs(step) || 1;
  const values: number[] = [];
  const direction = first <= last ? size : -size;
  for (let value = first; direction > 0 ? value <= last : value >= last; value += direction) {
    values.push(value);
    if (values.length > mostWords) break;
  }
  return values;
}
