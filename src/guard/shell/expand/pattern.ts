import type { Budget } from "../budget.ts";
import type { Unit } from "./units.ts";

/** A shell pattern: any text, this character, or one of these. */
export type Pattern = readonly (typeof anyText | string | RegExp)[];

const anyText = Symbol("any text");
const anyCharacter = /^[\s\S]$/u;

/** Whether a glob character stands in the units with its meaning. */
export function hasPattern(units: readonly Unit[]): boolean {
  return units.some((unit) => unit.kind === "char" && isLive(unit, "*?["));
}

/** Undefined for what is not understood. */
export function readPattern(budget: Budget, units: readonly Unit[], ignoreCase = false): Pattern | undefined {
  const pieces: Pattern[number][] = [];
  const flags = ignoreCase ? "ui" : "u";
  const chars = charsOf(units);
  if (!chars) return undefined;
  for (let at = 0; at < chars.length; at++) {
    const bracket = isLive(chars[at], "[") ? readBracket(budget, chars, at) : undefined;
    if (bracket === "not understood") return undefined;
    const piece = bracket ? compile(bracket.source, flags) : pieceOf(chars[at], ignoreCase);
    if (piece === undefined) return undefined;
    pieces.push(piece);
    at = bracket ? bracket.end : at;
  }
  return pieces;
}

export function matchesWhole(budget: Budget, pattern: Pattern, text: string): boolean {
  const chars = Array.from(text);
  return matchedLengths(budget, pattern, chars)?.longest === chars.length;
}

/**
 * The shortest and the longest beginning that the pattern matches. All places in the pattern that fit so far are followed
 * at once, so that nothing is ever tried again (ReDoS).
 */
export function matchedLengths(
  budget: Budget,
  pattern: Pattern,
  chars: readonly string[],
  from = 0,
): { shortest: number; longest: number } | undefined {
  budget.spend(pattern.length);
  const reachedAt = new Int32Array(pattern.length + 1).fill(-1);
  let lengths: { shortest: number; longest: number } | undefined;
  let places = [0];
  let next: number[] = [];
  reach(0, 0);
  for (let length = 0; next.length > 0; ) {
    [places, next] = [next, []];
    budget.spend(places.length);
    if (reachedAt[pattern.length] === length) lengths = { shortest: lengths?.shortest ?? length, longest: length };
    const char = chars[from + length++];
    if (char === undefined) break;
    for (const place of places) {
      const piece = pattern[place];
      if (piece === anyText) reach(place, length);
      else if (typeof piece === "string" ? piece === char : piece?.test(char)) reach(place + 1, length);
    }
  }
  return lengths;

  // any text may be none, so what stands behind it is reached as well
  function reach(first: number, length: number): void {
    for (let place = first; reachedAt[place] !== length; place++) {
      reachedAt[place] = length;
      next.push(place);
      if (pattern[place] !== anyText) return;
    }
  }
}

type Char = Extract<Unit, { kind: "char" }>;

function charsOf(units: readonly Unit[]): Char[] | undefined {
  const chars: Char[] = [];
  for (const unit of units) {
    if (unit.kind === "quotes") continue;
    // after an expansion bash reads a backslash in a pattern as an escape, or not, by version
    if (unit.kind !== "char" || (unit.mark === "expanded" && unit.char === "\\")) return undefined;
    chars.push(unit);
  }
  return chars;
}

function isLive(unit: Char | undefined, chars: string): boolean {
  return unit !== undefined && unit.mark !== "quoted" && chars.includes(unit.char);
}

function pieceOf(unit: Char | undefined, ignoreCase: boolean): Pattern[number] {
  if (isLive(unit, "*")) return anyText;
  if (isLive(unit, "?")) return anyCharacter;
  const char = unit?.char ?? "";
  return ignoreCase ? new RegExp(`^${RegExp.escape(char)}$`, "ui") : char;
}

function compile(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(`^${source}$`, flags);
  } catch {
    // a range such as [z-a]: what bash makes of it is not worth knowing
    return undefined;
  }
}

type Bracket = { source: string; end: number };

/** `[…]`; undefined when it is not closed and so means itself. */
function readBracket(budget: Budget, chars: readonly Char[], open: number): Bracket | "not understood" | undefined {
  const negated = isLive(chars[open + 1], "!^");
  const start = open + (negated ? 2 : 1);
  let source = negated ? "[^" : "[";
  for (let at = start; at < chars.length; at++) {
    budget.spend(4);
    const unit = chars[at];
    if (isLive(unit, "]") && at > start) return { source: `${source}]`, end: at };
    const named =
      isLive(unit, "[") && ":.=".includes(chars[at + 1]?.char ?? " ") ? readNamedClass(chars, at) : undefined;
    if (named === "not understood") return named;
    source += named ? named.source : bracketSource(unit, at > start);
    at = named ? named.end : at;
  }
  return undefined;
}

function bracketSource(unit: Char | undefined, mayBeRange: boolean): string {
  if (mayBeRange && isLive(unit, "-")) return "-";
  return (unit?.char ?? "").replace(/[\\^\][-]/, "\\$&");
}

const namedClasses: Readonly<Record<string, string>> = {
  alpha: "\\p{L}",
  digit: "0-9",
  alnum: "\\p{L}\\p{N}",
  upper: "\\p{Lu}",
  lower: "\\p{Ll}",
  space: "\\s",
  blank: " \\t",
  punct: "!-\\/:-@\\[-`\\{-~",
  xdigit: "0-9A-Fa-f",
  word: "\\p{L}\\p{N}_",
};

function readNamedClass(chars: readonly Char[], open: number): Bracket | "not understood" {
  let text = "";
  for (let at = open; at < chars.length && at < open + 12; at++) {
    text += chars[at]?.char;
    const name = /^\[:([a-z]+):\]$/.exec(text)?.[1];
    const source = name && namedClasses[name];
    if (source) return { source, end: at };
  }
  return "not understood";
}
