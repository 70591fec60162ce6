import type { ArithmeticFor, Case, CompoundList, For, While, Word } from "unbash";
import { expandToText } from "../expand/expand-word.ts";
import { showText } from "../expand/field.ts";
import {
  copyScope,
  isPlainName,
  joinScopes,
  type Scope,
  sameScopes,
  unknownVariable,
  type Value,
  type Variable,
  valuesVariable,
  widenScope,
} from "../expand/scope.ts";
import { inspectArithmetic } from "./inspect-arithmetic.ts";
import { inspectWord } from "./inspect-word.ts";
import { expandWords, forEachRound, type Inspection } from "./inspection.ts";

type WalkList = (inspection: Inspection, scope: Scope, list: CompoundList) => void;

/** After this many passes values that still change are given up. */
const exactPasses = 3;
const mostPasses = 24;

/** Walks a loop's body until nothing more is learnt about what it may start with. */
function walkUntilSettled(inspection: Inspection, scope: Scope, pass: (scope: Scope) => void): void {
  for (let count = 1; count <= mostPasses; count++) {
    const after = copyScope(scope);
    pass(after);
    const joined = joinScopes(scope, after);
    if (sameScopes(scope, joined)) return;
    Object.assign(scope, count < exactPasses ? joined : widenScope(scope, joined));
  }
  inspection.deny("parse", "a loop that the check cannot follow to its end");
}

export function walkFor(inspection: Inspection, scope: Scope, node: For, walkList: WalkList): void {
  for (const word of node.wordlist ?? []) inspectWord(inspection, scope, word);
  const name = node.name.text;
  if (!isPlainName(name)) inspection.deny("environment", `for may not set ${showText(name)}`);
  const values = node.wordlist ? listedValues(inspection, scope, node.wordlist) : unknownVariable;
  walkUntilSettled(inspection, scope, (inside) => {
    inside.variables.set(name, values);
    walkList(inspection, inside, node.body);
  });
}

function listedValues(inspection: Inspection, scope: Scope, words: readonly Word[]): Variable {
  const values: Value[] = [];
  let known = true;
  forEachRound(inspection, scope, (expansion) => {
    for (const field of expandWords(inspection, expansion, words)) {
      if (field.kind === "text") values.push(field);
      else known = false;
    }
  });
  return known ? valuesVariable(values) : unknownVariable;
}

export function walkArithmeticFor(inspection: Inspection, scope: Scope, node: ArithmeticFor, walkList: WalkList): void {
  if (node.initialize) inspectArithmetic(inspection, scope, node.initialize);
  walkUntilSettled(inspection, scope, (inside) => {
    if (node.test) inspectArithmetic(inspection, inside, node.test);
    walkList(inspection, inside, node.body);
    if (node.update) inspectArithmetic(inspection, inside, node.update);
  });
}

export function walkWhile(inspection: Inspection, scope: Scope, node: While, walkList: WalkList): void {
  walkUntilSettled(inspection, scope, (inside) => {
    walkList(inspection, inside, node.clause);
    walkList(inspection, inside, node.body);
  });
}

/** Any of the bodies may run, and with `;&` the next one after it. */
export function walkCase(inspection: Inspection, scope: Scope, node: Case, walkList: WalkList): void {
  checkCaseWord(inspection, scope, node.word);
  for (const item of node.items) {
    for (const pattern of item.pattern) checkCaseWord(inspection, scope, pattern);
    const branch = copyScope(scope);
    walkList(inspection, branch, item.body);
    Object.assign(scope, joinScopes(scope, branch));
  }
}

function checkCaseWord(inspection: Inspection, scope: Scope, word: Word): void {
  inspectWord(inspection, scope, word);
  forEachRound(inspection, scope, (expansion) => {
    const { text, numeric } = expandToText(expansion, word);
    if (text === undefined && !numeric)
      inspection.ask("unknown value", `${showText(word.text)} in case is not known beforehand`);
  });
}
