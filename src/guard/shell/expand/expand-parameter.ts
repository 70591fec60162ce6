import type { ParameterExpansionPart, ParameterOperation, Word } from "unbash";
import type { Expansion } from "./expansion.ts";
import { readPattern } from "./pattern.ts";
import type { Value } from "./scope.ts";
import { changeCase, removeMatch, replaceMatch, sliceText } from "./transform-text.ts";
import { charUnits, hole, isBare, type Unit } from "./units.ts";

/** Past this length the operations, which try every cut, are not worked out. */
const longestText = 512;

type Looked = { kind: "one"; value: Value } | { kind: "list"; values: readonly Value[] } | { kind: "hole"; unit: Unit };

type WordUnits = (expansion: Expansion, word: Word, quoted: boolean) => Unit[];

/** `$name` and `${name}` without an operation. */
export function expandName(expansion: Expansion, name: string, quoted: boolean): Unit[] {
  return show(expansion, look(expansion, name, undefined, quoted), quoted);
}

export function expandParameter(
  expansion: Expansion,
  part: ParameterExpansionPart,
  quoted: boolean,
  wordUnits: WordUnits,
): Unit[] {
  const unknown = [hole(!quoted || part.index?.text === "@" || part.parameter === "@")];
  if (part.prefix === "!") return [hole(true)];
  const index = part.index && subscript(expansion, part.index, wordUnits);
  if (part.index && index === undefined) return unknown;
  const looked = look(expansion, part.parameter, index, quoted);
  if (part.prefix === "#") return part.operation ? unknown : lengthOf(expansion, looked);
  if (!part.operation) return show(expansion, looked, quoted);
  if (looked.kind !== "one") return unknown;
  const text = operate(expansion, part.operation, looked.value.text, wordUnits);
  expansion.budget.spend(looked.value.text.length + (text?.length ?? 0));
  return text === undefined ? unknown : charUnits(text, quoted ? "quoted" : "expanded");
}

function look(expansion: Expansion, name: string, index: string | undefined, quoted: boolean): Looked {
  const variable = expansion.variables.get(name);
  const all = index === "@" || index === "*";
  if (variable?.kind === "number") return { kind: "hole", unit: hole(false, true) };
  if (variable?.kind === "values" && (index === undefined || index === "0")) {
    const value = variable.values[expansion.choices.pick(`$${name}`, variable.values.length)];
    if (value) return { kind: "one", value };
  }
  if (variable?.kind === "list") {
    if (index === "*" && quoted) {
      return { kind: "one", value: { text: variable.values.map(({ text }) => text).join(" ") } };
    }
    if (all) return { kind: "list", values: variable.values };
    const at = Number(index ?? 0);
    return { kind: "one", value: variable.values.at(at) ?? { text: "" } };
  }
  return { kind: "hole", unit: hole(!quoted || all || name === "@") };
}

function show({ budget }: Expansion, looked: Looked, quoted: boolean): Unit[] {
  const mark = quoted ? "quoted" : "expanded";
  if (looked.kind === "hole") return [looked.unit];
  budget.spend(lengthIn(looked));
  if (looked.kind === "one") return charUnits(looked.value.text, mark, looked.value.pattern);
  return looked.values.flatMap((value, at) => {
    const own: Unit[] = quoted ? [{ kind: "quotes" }] : [];
    const units = [...own, ...charUnits(value.text, mark, value.pattern)];
    return at === 0 ? units : [{ kind: "break" }, ...units];
  });
}

/** How many characters a value brings, each element of a list counting as one more. */
function lengthIn(looked: Exclude<Looked, { kind: "hole" }>): number {
  if (looked.kind === "one") return looked.value.text.length;
  return looked.values.reduce((sum, { text }) => sum + text.length + 1, 0);
}

function lengthOf({ budget }: Expansion, looked: Looked): Unit[] {
  if (looked.kind === "hole") return [hole(false, true)];
  budget.spend(lengthIn(looked));
  const length = looked.kind === "list" ? looked.values.length : Array.from(looked.value.text).length;
  return charUnits(String(length), "quoted");
}

function subscript(expansion: Expansion, index: Word, wordUnits: WordUnits): string | undefined {
  if (index.text === "@" || index.text === "*") return index.text;
  return numberOf(expansion, index, wordUnits)?.toString();
}

/** A literal number or a variable that holds one. */
function numberOf(expansion: Expansion, word: Word, wordUnits: WordUnits): number | undefined {
  const text = textOf(wordUnits(expansion, word, true))?.trim();
  if (text === undefined) return undefined;
  const named = /^[A-Za-z_]\w*$/.test(text) ? textOf(expandName(expansion, text, true)) : text;
  return named !== undefined && /^-?\d{1,9}$/.test(named) ? Number(named) : undefined;
}

function operate(
  expansion: Expansion,
  operation: ParameterOperation,
  text: string,
  wordUnits: WordUnits,
): string | undefined {
  if (text.length > longestText) return undefined;
  const { budget } = expansion;
  switch (operation.type) {
    case "Default":
      return defaultOf(operation.operator, text, () => plainOperand(expansion, operation.operand, wordUnits));
    case "Remove": {
      const pattern = readPattern(budget, wordUnits(expansion, operation.operand, false));
      return pattern && removeMatch(budget, text, pattern, operation.operator);
    }
    case "Replace": {
      const pattern = readPattern(budget, wordUnits(expansion, operation.pattern, false));
      const replacement = plainOperand(expansion, operation.replacement, wordUnits);
      // since bash 5.2 an ampersand stands for the match
      if (!pattern || replacement === undefined || /[&\\]/.test(replacement)) return undefined;
      return replaceMatch(budget, text, pattern, replacement, operation.operator);
    }
    case "Slice": {
      const offset = numberOf(expansion, operation.offset, wordUnits);
      const length = operation.length && numberOf(expansion, operation.length, wordUnits);
      if (offset === undefined || (operation.length && length === undefined)) return undefined;
      return sliceText(text, offset, length);
    }
    case "CaseModification":
      return operation.operand ? undefined : changeCase(text, operation.operator);
    default:
      return undefined;
  }
}

function defaultOf(operator: string, text: string, operand: () => string | undefined): string | undefined {
  const missing = operator.startsWith(":") && text === "";
  if (operator.endsWith("+")) return missing ? "" : operand();
  return missing ? operand() : text;
}

/** The operand's text when quoting inside it cannot matter. */
function plainOperand(expansion: Expansion, operand: Word, wordUnits: WordUnits): string | undefined {
  const units = wordUnits(expansion, operand, false);
  if (units.some((unit) => isBare(unit, "~"))) return undefined;
  if (units.some((unit) => unit.kind === "char" && unit.mark === "quoted"))
    return /\s/.test(textOf(units) ?? " ") ? undefined : textOf(units);
  return textOf(units);
}

export function textOf(units: readonly Unit[]): string | undefined {
  let text = "";
  for (const unit of units) {
    if (unit.kind === "hole") return undefined;
    if (unit.kind === "char") text += unit.char;
    else if (unit.kind === "break") text += " ";
  }
  return text;
}
