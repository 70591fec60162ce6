import type { Unit } from "./units.ts";

/** Whether a glob character stands in the units with its meaning. */
export function hasPattern(units: readonly Unit[]): boolean {
  return units.some((unit) => unit.kind === "char" && isLive(unit, "*?["));
}

/** A shell pattern as a regular expression for the whole text; undefined for what is not understood. */
export function patternToRegExp(units: readonly Unit[]): RegExp | undefined {
  let source = "";
  const chars = charsOf(units);
  if (!chars) return undefined;
  for (let at = 0; at < chars.length; at++) {
    const bracket = isLive(chars[at], "[") ? readBracket(chars, at) : undefined;
    if (bracket === "not understood") return undefined;
    source += bracket ? bracket.source : sourceOf(chars[at]);
    at = bracket ? bracket.end : at;
  }
  return compile(`^${source}$`);
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

function sourceOf(unit: Char | undefined): string {
  if (isLive(unit, "*")) return "[\\s\\S]*";
  if (isLive(unit, "?")) return "[\\s\\S]";
  return (unit?.char ?? "").replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
}

function compile(source: string): RegExp | undefined {
  try {
    return new RegExp(source, "u");
  } catch {
    // a range such as [z-a]: what bash makes of it is not worth knowing
    return undefined;
  }
}

type Bracket = { source: string; end: number };

/** `[…]`; undefined when it is not closed and so means itself. */
function readBracket(chars: readonly Char[], open: number): Bracket | "not understood" | undefined {
  const negated = isLive(chars[open + 1], "!^");
  const start = open + (negated ? 2 : 1);
  let source = negated ? "[^" : "[";
  for (let at = start; at < chars.length; at++) {
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
