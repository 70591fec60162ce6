import type { TestExpression, Word } from "unbash";
import { fileComparisons, fileTests, numberTests } from "../commands/test-command.ts";
import { expandToText } from "../expand/expand-word.ts";
import { isNumeric, showText } from "../expand/field.ts";
import type { Scope } from "../expand/scope.ts";
import { checkPathText } from "../paths/check-path.ts";
import { inspectParts, inspectWord } from "./inspect-word.ts";
import { forEachRound, type Inspection, siteOf, type Walks, walkNode } from "./inspection.ts";

/** What stands between `[[` and `]]`. */
export function checkTestExpression(inspection: Inspection, scope: Scope, expression: TestExpression): void {
  walkNode(walks, inspection, scope, expression);
}

const walks: Walks<TestExpression> = {
  TestLogical(inspection, scope, { operands }) {
    for (const operand of operands) checkTestExpression(inspection, scope, operand);
  },
  TestNot: (inspection, scope, { operand }) => checkTestExpression(inspection, scope, operand),
  TestGroup: (inspection, scope, { expression }) => checkTestExpression(inspection, scope, expression),
  TestUnary(inspection, scope, { operator, operand }) {
    inspectWord(inspection, scope, operand);
    checkOne(inspection, scope, operator, operand);
  },
  TestBinary(inspection, scope, { operator, left, right }) {
    inspectWord(inspection, scope, left);
    inspectPattern(inspection, scope, right);
    checkOne(inspection, scope, operator, left);
    checkOne(inspection, scope, operator, right);
  },
};

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
