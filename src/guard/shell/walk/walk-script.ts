import type { CompoundList, ParsedScript, Statement, Word } from "unbash";
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
import { checkRedirection } from "./check-redirection.ts";
import { checkSimpleCommand } from "./check-simple-command.ts";
import { checkTestExpression } from "./check-test-expression.ts";
import { inspectArithmetic } from "./inspect-arithmetic.ts";
import { inspectWord } from "./inspect-word.ts";
import { expandWords, forEachRound, type Inspection, type Walks, walkNode } from "./inspection.ts";

/** After this many passes values that still change are given up. */
const exactPasses = 3;
const mostPasses = 24;

/** A script of its own, at the top or inside a substitution: what it sets is forgotten after it. */
export function walkScript(inspection: Inspection, script: ParsedScript, scope: Scope): void {
  for (const error of script.errors ?? []) inspection.deny("parse", `bash would not read this: ${error.message}`);
  walkStatements(inspection, copyScope(scope), script.commands);
}

function walkStatements(inspection: Inspection, scope: Scope, statements: readonly Statement[]): void {
  for (const statement of statements)
    walk(inspection, statement.background ? copyScope(scope) : scope, statement.command);
}

type Construct = Statement["command"] | CompoundList;

const walks: Walks<Construct> = {
  CompoundList: (inspection, scope, list) => walkStatements(inspection, scope, list.commands),
  // everything after the first may or may not run; after `||` what came before it may have failed half-way
  AndOr(inspection, scope, list) {
    let before = copyScope(scope);
    for (const [at, command] of list.commands.entries()) {
      const branch = list.operators[at - 1] === "||" ? joinScopes(before, scope) : copyScope(scope);
      before = copyScope(branch);
      walk(inspection, branch, command);
      Object.assign(scope, at === 0 ? branch : joinScopes(scope, branch));
    }
  },
  // the parts of a pipeline run in shells of their own
  Pipeline(inspection, scope, { commands }) {
    for (const command of commands) walk(inspection, commands.length === 1 ? scope : copyScope(scope), command);
  },
  Command: checkSimpleCommand,
  Redirected(inspection, scope, node) {
    for (const redirection of node.redirects) checkRedirection(inspection, scope, redirection);
    walk(inspection, scope, node.command);
  },
  Subshell: (inspection, scope, node) => walk(inspection, copyScope(scope), node.body),
  BraceGroup: (inspection, scope, node) => walk(inspection, scope, node.body),
  TestCommand: (inspection, scope, node) => checkTestExpression(inspection, scope, node.expression),
  ArithmeticCommand: (inspection, scope, node) => inspectArithmetic(inspection, scope, node.expression),
  If(inspection, scope, node) {
    walk(inspection, scope, node.clause);
    const ends = [walkBranch(inspection, scope, node.then)];
    for (const elif of node.elif) {
      walk(inspection, scope, elif.clause);
      ends.push(walkBranch(inspection, scope, elif.then));
    }
    ends.push(node.else ? walkBranch(inspection, scope, node.else) : copyScope(scope));
    Object.assign(scope, ends.reduce(joinScopes));
  },
  For(inspection, scope, node) {
    for (const word of node.wordlist ?? []) inspectWord(inspection, scope, word);
    const name = node.name.text;
    if (!isPlainName(name)) inspection.deny("environment", `for may not set ${showText(name)}`);
    const values = node.wordlist ? listedValues(inspection, scope, node.wordlist) : unknownVariable;
    walkUntilSettled(inspection, scope, (inside) => {
      inside.variables.set(name, values);
      walk(inspection, inside, node.body);
    });
  },
  ArithmeticFor(inspection, scope, node) {
    if (node.initialize) inspectArithmetic(inspection, scope, node.initialize);
    walkUntilSettled(inspection, scope, (inside) => {
      if (node.test) inspectArithmetic(inspection, inside, node.test);
      walk(inspection, inside, node.body);
      if (node.update) inspectArithmetic(inspection, inside, node.update);
    });
  },
  While(inspection, scope, node) {
    walkUntilSettled(inspection, scope, (inside) => {
      walk(inspection, inside, node.clause);
      walk(inspection, inside, node.body);
    });
  },
  // any of the bodies may run, and with `;&` the next one after it
  Case(inspection, scope, node) {
    checkCaseWord(inspection, scope, node.word);
    for (const item of node.items) {
      for (const pattern of item.pattern) checkCaseWord(inspection, scope, pattern);
      Object.assign(scope, joinScopes(scope, walkBranch(inspection, scope, item.body)));
    }
  },
  Function: refuseConstruct,
  Coproc: refuseConstruct,
  Select: refuseConstruct,
};

function walk(inspection: Inspection, scope: Scope, node: Construct): void {
  walkNode(walks, inspection, scope, node);
}

function walkBranch(inspection: Inspection, scope: Scope, list: CompoundList): Scope {
  const branch = copyScope(scope);
  walk(inspection, branch, list);
  return branch;
}

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

function checkCaseWord(inspection: Inspection, scope: Scope, word: Word): void {
  inspectWord(inspection, scope, word);
  forEachRound(inspection, scope, (expansion) => {
    const { text, numeric } = expandToText(expansion, word);
    if (text === undefined && !numeric)
      inspection.ask("unknown value", `${showText(word.text)} in case is not known beforehand`);
  });
}

/** Walked all the same, so that every command in it is seen. */
function refuseConstruct(
  inspection: Inspection,
  scope: Scope,
  node: Extract<Construct, { type: "Function" | "Coproc" | "Select" }>,
): void {
  inspection.deny("command", `${node.type.toLowerCase()} ${showText(node.name?.text ?? "")} is not allowed`);
  walk(inspection, copyScope(scope), node.body);
}
