import type { Word, WordPart } from "unbash";
import { evaluateArithmetic } from "./evaluate-arithmetic.ts";
import { expandBraces } from "./expand-braces.ts";
import { expandGlob } from "./expand-globs.ts";
import { expandName, expandParameter, textOf } from "./expand-parameter.ts";
import type { Expansion } from "./expansion.ts";
import { type Field, textField } from "./field.ts";
import { hasPattern } from "./pattern.ts";
import { bareUnits, charUnits, hole, isBare, type Unit } from "./units.ts";

/** The arguments that a word becomes; undefined when there are too many to look at. */
export function expandWord(expansion: Expansion, word: Word): Field[] | undefined {
  if (!word.parts && /^[\w./:=+,@%-]*$/.test(word.text)) return [textField(word.text)];
  if (word.parts?.length === 1 && word.parts[0]?.type === "ProcessSubstitution") return [{ kind: "stream" }];
  const units = unitsOfWord(expansion, word);
  const words = expandBraces(expansion.budget, units);
  if (!words) return undefined;
  if (expandsOtherwise(word, units, words.length)) return [{ kind: "unknown", prefix: "", many: true, numeric: false }];
  const fields: Field[] = [];
  for (const each of words)
    for (const piece of splitFields(tildeAsHole(each))) fields.push(...fieldOf(expansion, piece));
  return words.length > 1
    ? fields.map((field) => (field.kind === "text" ? { ...field, braced: true } : field))
    : fields;
}

/**
 * Braces are opened before variables are read, so `$x{a,b}` reads `$xa` and `$xb`; and a lone `$` keeps bash from
 * splitting. Neither is worth following.
 */
function expandsOtherwise(word: Word, units: readonly Unit[], wordCount: number): boolean {
  if (wordCount > 1 && /\$\w+[{,}]/.test(word.text)) return true;
  return (
    units.some((unit) => isBare(unit, "$")) && units.some((unit) => unit.kind === "char" && unit.mark === "expanded")
  );
}

/** The single text of a word that is neither split nor globbed: an assigned value, a case word, a `[[ ]]` operand. */
export function expandToText(expansion: Expansion, word: Word): { text: string | undefined; numeric: boolean } {
  const units = tildeAsHole(unitsOfWord(expansion, word)).map((unit, at, all) =>
    isBare(unit, "~") && isBare(all[at - 1], ":") ? hole(false) : unit,
  );
  const holes = units.filter((unit) => unit.kind === "hole");
  const numeric = holes.length === 1 && units.every((unit) => unit.kind === "quotes" || isNumericHole(unit));
  return { text: textOf(units), numeric };
}

function isNumericHole(unit: Unit): boolean {
  return unit.kind === "hole" && unit.numeric;
}

function unitsOfWord(expansion: Expansion, word: Word, quoted = false): Unit[] {
  expansion.budget.spend(word.text.length);
  if (!word.parts) return quoted ? charUnits(word.text, "quoted") : bareUnits(word.text);
  return word.parts.flatMap((part) => unitsOfPart(expansion, part, quoted));
}

function unitsOfPart(expansion: Expansion, part: WordPart, quoted: boolean): Unit[] {
  switch (part.type) {
    case "Literal":
      return quoted ? charUnits(part.value, "quoted") : bareUnits(part.text);
    case "SingleQuoted":
      return [{ kind: "quotes" }, ...charUnits(part.value, "quoted")];
    case "AnsiCQuoted":
      return isPlainAnsi(part.text) ? [{ kind: "quotes" }, ...charUnits(part.value, "quoted")] : [hole(false)];
    case "DoubleQuoted":
      return unitsOfDoubleQuoted(expansion, part.parts);
    case "SimpleExpansion":
      return expandName(expansion, part.text.slice(1), quoted);
    case "ParameterExpansion":
      return expandParameter(expansion, part, quoted, unitsOfWord);
    case "ArithmeticExpansion": {
      const value = part.expression && evaluateArithmetic(expansion, part.expression);
      return value === undefined ? [hole(false, true)] : charUnits(value, "quoted");
    }
    case "BraceExpansion":
      return part.parts ? enclosed(expansion, "{", part.parts, "}") : bareUnits(part.text);
    case "Glob":
      return part.parts ? enclosed(expansion, "[", part.parts, "]") : bareUnits(part.text);
    // refused everywhere but in the patterns of [[ ]], where it is not matched against files
    case "ExtendedGlob":
      return part.parts ? [hole(!quoted)] : charUnits(part.text, "quoted");
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "LocaleString":
      return [hole(!quoted)];
    default:
      return part satisfies never;
  }
}

/** An empty `"${list[@]}"` is no argument at all, unlike every other pair of quotes. */
function unitsOfDoubleQuoted(expansion: Expansion, parts: readonly WordPart[]): Unit[] {
  const units = parts.flatMap((part) => unitsOfPart(expansion, part, true));
  const onlyList = parts.length === 1 && parts[0]?.type === "ParameterExpansion" && parts[0].index?.text === "@";
  return onlyList ? units : [{ kind: "quotes" }, ...units];
}

function enclosed(expansion: Expansion, open: string, parts: readonly WordPart[], close: string): Unit[] {
  return [...bareUnits(open), ...parts.flatMap((part) => unitsOfPart(expansion, part, false)), ...bareUnits(close)];
}

/** Escapes that could give a NUL or a byte that is no character are left unknown. */
function isPlainAnsi(source: string): boolean {
  return !/\\(?:0|c|x0*(?![1-9a-f])|x\{|x[89a-f]|[1-7][0-7]{2}|u0*(?![1-9a-f])|U)/i.test(source.replaceAll("\\\\", ""));
}

/** `~` at the front, and after `=` or `:` in what looks like an assignment, becomes a home folder. */
function tildeAsHole(units: readonly Unit[]): Unit[] {
  if (isBare(units[0], "~")) return [hole(false)];
  const text = units.map((unit) => (unit.kind === "char" ? unit.char : " ")).join("");
  if (!/^[A-Za-z_]\w*=/.test(text) || !units.some((unit) => isBare(unit, "~"))) return [...units];
  return units.map((unit, at) =>
    isBare(unit, "~") && (isBare(units[at - 1], "=") || isBare(units[at - 1], ":")) ? hole(false) : unit,
  );
}

function splitFields(units: readonly Unit[]): Unit[][] {
  const pieces: Unit[][] = [];
  let piece: Unit[] = [];
  const end = () => {
    if (piece.length > 0) pieces.push(piece);
    piece = [];
  };
  for (const unit of units) {
    const space = unit.kind === "char" && unit.mark === "expanded" && /[ \t\n]/.test(unit.char);
    if (unit.kind === "break" || space) end();
    else piece.push(unit);
  }
  end();
  return pieces;
}

function fieldOf(expansion: Expansion, piece: readonly Unit[]): Field[] {
  const holes = piece.filter((unit) => unit.kind === "hole");
  if (holes.length > 0) {
    const many = holes.some((unit) => unit.many) || hasPattern(piece);
    const numeric = holes.length === 1 && holes[0]?.numeric === true;
    const known = piece.slice(0, piece.indexOf(holes[0] as Unit));
    return [{ kind: "unknown", prefix: textOf(known) ?? "", many, numeric }];
  }
  const chars = piece.filter((unit) => unit.kind === "char");
  return expandGlob(expansion, chars);
}
