import type { ArithmeticExpression, ArithmeticWord, Word } from "unbash";
import { isNumeric, showText } from "../expand/field.ts";
import { isNumberVariable, isPlainName, numberVariable, type Scope } from "../expand/scope.ts";
import { type Inspection, type Walks, walkNode } from "./inspection.ts";

const assignments = /^(?:[-+*/%&|^]|<<|>>|\*\*)?=$/;

/** Bash evaluates the content of variables in arithmetic as code, so only numbers may be in them. */
export function inspectArithmetic(
  inspection: Inspection,
  scope: Scope,
  expression: ArithmeticExpression | undefined,
): void {
  if (expression) walkNode(walks, inspection, scope, expression);
  else inspection.deny("re-evaluation", "arithmetic that is not understood");
}

const walks: Walks<ArithmeticExpression> = {
  ArithmeticGroup: (inspection, scope, group) => inspectArithmetic(inspection, scope, group.expression),
  ArithmeticWord: inspectNumber,
  ArithmeticTernary(inspection, scope, { test, consequent, alternate }) {
    for (const part of [test, consequent, alternate]) inspectArithmetic(inspection, scope, part);
  },
  ArithmeticUnary(inspection, scope, { operator, operand }) {
    inspectArithmetic(inspection, scope, operand);
    if (operator === "++" || operator === "--") setNumber(inspection, scope, operand);
  },
  ArithmeticBinary(inspection, scope, { operator, left, right }) {
    inspectArithmetic(inspection, scope, right);
    if (operator !== "=") inspectArithmetic(inspection, scope, left);
    if (assignments.test(operator)) setNumber(inspection, scope, left);
  },
  ArithmeticCommandExpansion(inspection, scope, { script }) {
    if (script) inspection.walkScript(inspection, script, scope);
    inspection.deny("re-evaluation", "arithmetic on what a command prints");
  },
};

function setNumber(inspection: Inspection, scope: Scope, target: ArithmeticExpression): void {
  const name = target.type === "ArithmeticWord" ? target.value : "";
  if (isPlainName(name)) scope.variables.set(name, numberVariable);
  else inspection.deny("environment", `arithmetic may not set ${showText(name)}`);
}

function inspectNumber(inspection: Inspection, scope: Scope, word: ArithmeticWord): void {
  for (const part of word.parts ?? []) {
    if ((part.type === "CommandExpansion" || part.type === "ProcessSubstitution") && part.script)
      inspection.walkScript(inspection, part.script, scope);
  }
  if (!isKnownNumber(scope, word.value))
    inspection.deny("re-evaluation", `arithmetic on ${showText(word.value)}, which is not known to be a number`);
}

/** A literal number, or a variable that surely holds one. */
function isKnownNumber(scope: Scope, source: string): boolean {
  if (/^(?:\d{1,18}|0[xX][\da-fA-F]{1,15}|\d{1,2}#[\w@]{1,12})$/.test(source)) return true;
  const name = /^(?:\$?([A-Za-z_]\w*)|\$\{#?([A-Za-z_]\w*)(?:\[[@*]\])?\})$/.exec(source);
  if (name?.[2] && source.startsWith("${#")) return scope.variables.has(name[2]);
  if (name) return isNumberVariable(scope.variables.get(name[1] ?? name[2] ?? ""));
  const element = /^(?:\$\{)?([A-Za-z_]\w*)\[(\d+|[A-Za-z_]\w*)\]\}?$/.exec(source);
  if (!element || !isNumberVariable(scope.variables.get(element[1] ?? ""))) return false;
  return isNumeric(element[2] ?? "") || isNumberVariable(scope.variables.get(element[2] ?? ""));
}

/** The offset of a slice or the subscript of a list: sums of numbers and of variables that hold them. */
export function inspectIndex(inspection: Inspection, scope: Scope, index: Word): void {
  const terms = index.text.trim().split(/\s*[-+*]\s*/);
  const known = terms.every((term, at) => (term === "" && at === 0 && terms.length > 1) || isKnownNumber(scope, term));
  if (!known) inspection.deny("re-evaluation", `the index ${showText(index.text)} is not known to be a number`);
}
