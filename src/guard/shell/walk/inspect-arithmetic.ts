import type { ArithmeticExpression, ArithmeticWord, Word } from "unbash";
import { isNumeric, showText } from "../expand/field.ts";
import { isNumberVariable, isPlainName, numberVariable, type Scope } from "../expand/scope.ts";
import type { Inspection } from "./inspection.ts";

const assignments = /^(?:[-+*/%&|^]|<<|>>|\*\*)?=$/;

/** Bash evaluates the content of variables in arithmetic as code, so only numbers may be in them. */
export function inspectArithmetic(
  inspection: Inspection,
  scope: Scope,
  expression: ArithmeticExpression | undefined,
): void {
  if (!expression) {
    inspection.deny("re-evaluation", "arithmetic that is not understood");
    return;
  }
  switch (expression.type) {
    case "ArithmeticGroup":
      inspectArithmetic(inspection, scope, expression.expression);
      return;
    case "ArithmeticWord":
      inspectNumber(inspection, scope, expression);
      return;
    case "ArithmeticTernary":
      for (const part of [expression.test, expression.consequent, expression.alternate])
        inspectArithmetic(inspection, scope, part);
      return;
    case "ArithmeticUnary":
      inspectArithmetic(inspection, scope, expression.operand);
      if (expression.operator === "++" || expression.operator === "--")
        setNumber(inspection, scope, expression.operand);
      return;
    case "ArithmeticBinary":
      inspectArithmetic(inspection, scope, expression.right);
      if (expression.operator !== "=") inspectArithmetic(inspection, scope, expression.left);
      if (assignments.test(expression.operator)) setNumber(inspection, scope, expression.left);
      return;
    case "ArithmeticCommandExpansion":
      if (expression.script) inspection.walkScript(inspection, expression.script, scope);
      inspection.deny("re-evaluation", "arithmetic on what a command prints");
      return;
    default:
      expression satisfies never;
      return;
  }
}

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
