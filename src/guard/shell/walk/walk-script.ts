import type { AndOr, CommandNode, CompoundList, If, ParsedScript, Pipeline, Statement } from "unbash";
import { showText } from "../expand/field.ts";
import { copyScope, joinScopes, type Scope } from "../expand/scope.ts";
import { checkRedirection } from "./check-redirection.ts";
import { checkSimpleCommand } from "./check-simple-command.ts";
import { checkTestExpression } from "./check-test-expression.ts";
import { inspectArithmetic } from "./inspect-arithmetic.ts";
import type { Inspection } from "./inspection.ts";
import { walkArithmeticFor, walkCase, walkFor, walkWhile } from "./walk-loops.ts";

/** A script of its own, at the top or inside a substitution: what it sets is forgotten after it. */
export function walkScript(inspection: Inspection, script: ParsedScript, scope: Scope): void {
  for (const error of script.errors ?? []) inspection.deny("parse", `bash would not read this: ${error.message}`);
  walkStatements(inspection, copyScope(scope), script.commands);
}

function walkStatements(inspection: Inspection, scope: Scope, statements: readonly Statement[]): void {
  for (const statement of statements)
    walkCommand(inspection, statement.background ? copyScope(scope) : scope, statement.command);
}

function walkList(inspection: Inspection, scope: Scope, list: CompoundList): void {
  walkStatements(inspection, scope, list.commands);
}

function walkCommand(inspection: Inspection, scope: Scope, node: Statement["command"]): void {
  if (node.type === "AndOr") walkAndOr(inspection, scope, node);
  else if (node.type === "Pipeline") walkPipeline(inspection, scope, node);
  else walkPart(inspection, scope, node);
}

/** Everything after the first may or may not run; after `||` what came before it may have failed half-way. */
function walkAndOr(inspection: Inspection, scope: Scope, list: AndOr): void {
  let before = copyScope(scope);
  for (const [at, command] of list.commands.entries()) {
    const branch = list.operators[at - 1] === "||" ? joinScopes(before, scope) : copyScope(scope);
    before = copyScope(branch);
    walkCommand(inspection, branch, command);
    Object.assign(scope, at === 0 ? branch : joinScopes(scope, branch));
  }
}

/** The parts of a pipeline run in shells of their own. */
function walkPipeline(inspection: Inspection, scope: Scope, pipeline: Pipeline): void {
  for (const command of pipeline.commands)
    walkPart(inspection, pipeline.commands.length === 1 ? scope : copyScope(scope), command);
}

type Walks = {
  [Kind in CommandNode["type"]]: (
    inspection: Inspection,
    scope: Scope,
    node: Extract<CommandNode, { type: Kind }>,
  ) => void;
};

/** How each construct is walked; a new one in the parser breaks the build here. */
const walks: Walks = {
  Command: checkSimpleCommand,
  Redirected(inspection, scope, node) {
    for (const redirection of node.redirects) checkRedirection(inspection, scope, redirection);
    walkPart(inspection, scope, node.command);
  },
  Subshell: (inspection, scope, node) => walkList(inspection, copyScope(scope), node.body),
  BraceGroup: (inspection, scope, node) => walkList(inspection, scope, node.body),
  TestCommand: (inspection, scope, node) => checkTestExpression(inspection, scope, node.expression),
  ArithmeticCommand: (inspection, scope, node) => inspectArithmetic(inspection, scope, node.expression),
  If: walkIf,
  For: (inspection, scope, node) => walkFor(inspection, scope, node, walkList),
  ArithmeticFor: (inspection, scope, node) => walkArithmeticFor(inspection, scope, node, walkList),
  While: (inspection, scope, node) => walkWhile(inspection, scope, node, walkList),
  Case: (inspection, scope, node) => walkCase(inspection, scope, node, walkList),
  Function: refuseConstruct,
  Coproc: refuseConstruct,
  Select: refuseConstruct,
};

function walkPart(inspection: Inspection, scope: Scope, node: CommandNode): void {
  // TypeScript does not see that the entry and the node are of one kind
  const walk = walks[node.type] as (inspection: Inspection, scope: Scope, node: CommandNode) => void;
  walk(inspection, scope, node);
}

function walkIf(inspection: Inspection, scope: Scope, node: If): void {
  walkList(inspection, scope, node.clause);
  const ends = [walkBranch(inspection, scope, node.then)];
  for (const elif of node.elif) {
    walkList(inspection, scope, elif.clause);
    ends.push(walkBranch(inspection, scope, elif.then));
  }
  ends.push(node.else ? walkBranch(inspection, scope, node.else) : copyScope(scope));
  Object.assign(scope, ends.reduce(joinScopes));
}

function walkBranch(inspection: Inspection, scope: Scope, list: CompoundList): Scope {
  const branch = copyScope(scope);
  walkList(inspection, branch, list);
  return branch;
}

/** Walked all the same, so that every command in it is seen. */
function refuseConstruct(
  inspection: Inspection,
  scope: Scope,
  node: Extract<CommandNode, { type: "Function" | "Coproc" | "Select" }>,
): void {
  inspection.deny("command", `${node.type.toLowerCase()} ${showText(node.name?.text ?? "")} is not allowed`);
  if (node.body.type === "CompoundList") walkList(inspection, copyScope(scope), node.body);
  else walkPart(inspection, copyScope(scope), node.body);
}
