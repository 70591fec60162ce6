import type { TestExpression, Word } from "unbash";
import { fileComparisons, fileTests, numberTests } from "../commands/test-command.ts";
import { expandToText } from "../expand/expand-word.ts";
import { isNumeric, showText } from "../expand/field.ts";
import type { Scope } from "../expand/scope.ts";
import { checkPathText } from "../paths/check-path.ts";
import { inspectParts, inspectWord } from "./inspect-word.ts";
import { forEachRound, type Inspection, siteOf } from "./inspection.ts";

/** What stands between `[[` and `]]`. */
export function checkTestExpression(inspection: Inspection, scope: Scope, expression: TestExpression): void {
  switch (expression.type) {
    case "TestLogical":
      for (const operand of expression.operands) checkTestExpression(inspection, scope, operand);
      return;
    case "TestNot":
      checkTestExpression(inspection, scope, expression.operand);
      return;
    case "TestGroup":
      checkTestExpression(inspection, scope, expression.expression);
      return;
    case "TestUnary":
      inspectWord(inspection, scope, expression.operand);
      checkOne(inspection, scope, expression.operator, expression.operand);
      return;
    case "TestBinary":
      inspectWord(inspection, scope, expression.left);
      inspectPattern(inspection, scope, expression.right);
      checkOne(inspection, scope, expression.operator, expression.left);
      checkOne(inspection, scope, expression.operator, expression.right);
      return;
    default:
      expression satisfies never;
      inspection.deny("parse", "a test that the check does not know");
  }
}

/** Extended globs work in the patterns of `[[ ]]`. */
function inspectPattern(inspection: Inspection, scope: Scope, pattern: Word): void {
  for (const part of pattern.parts ?? [])
    inspectParts(inspection, scope, part.type === "ExtendedGlob" ? (part.parts ?? []) : [part]);
}

const plainTests = /^(?:-[nzt]|-o|={1,2}|!=|=~|<|>)$/;

function checkOne(inspection: Inspection, scope: Scope, operator: string, word: Word): void {
  if (operator === "-v" || operator === "-R") {
    inspection.deny("re-evaluation", `[[ ${operator} ]] may evaluate what it is given`);
    return;
  }
  const isFile = fileTests.test(operator) || fileComparisons.test(operator);
  const isNumber = numberTests.test(operator) || operator === "-t";
  if (!isFile && !isNumber && !plainTests.test(operator)) {
    inspection.deny("parse", `the operator ${showText(operator)} is not known`);
    return;
  }
  forEachRound(inspection, scope, (expansion) => {
    const { text, numeric } = expandToText(expansion, word);
    if (isNumber) {
      if (!numeric && (text === undefined || !isNumeric(text)))
        inspection.deny("re-evaluation", `[[ ${operator} ]] on ${showText(word.text)}, which is no literal number`);
    } else if (text === undefined) {
      if (!numeric || isFile)
        inspection.ask("unknown value", `${showText(word.text)} in [[ ]] is not known beforehand`);
    } else if (isFile) checkPathText(siteOf(inspection, "[[", expansion.folder), text, "read");
  });
}
