import type { ParameterExpansionPart, ParameterOperation, ParsedScript, Word, WordPart } from "unbash";
import { showText } from "../expand/field.ts";
import { isPlainName, type Scope, unknownVariable } from "../expand/scope.ts";
import { inspectArithmetic, inspectIndex } from "./inspect-arithmetic.ts";
import { type Inspection, type Walks, walkNode } from "./inspection.ts";

/** Walks the commands inside a word and refuses the expansions that evaluate data again. */
export function inspectWord(inspection: Inspection, scope: Scope, word: Word): void {
  if (word.parts) inspectParts(inspection, scope, word.parts);
  else inspectLiteral(inspection, word.text);
}

/** For bash `$[` always begins arithmetic, even where it never ends. */
function inspectLiteral(inspection: Inspection, text: string): void {
  if (/(?:^|[^\\])(?:\\\\)*\$\[/.test(text))
    inspection.deny("parse", `${showText(text)} begins arithmetic without end`);
}

export function inspectParts(inspection: Inspection, scope: Scope, parts: readonly WordPart[]): void {
  for (const part of parts) walkNode(walks, inspection, scope, part);
}

const walks: Walks<WordPart> = {
  Literal: (inspection, _scope, part) => inspectLiteral(inspection, part.text),
  SingleQuoted() {},
  AnsiCQuoted() {},
  SimpleExpansion() {},
  DoubleQuoted: (inspection, scope, part) => inspectParts(inspection, scope, part.parts),
  BraceExpansion: (inspection, scope, part) => inspectParts(inspection, scope, part.parts ?? []),
  Glob: (inspection, scope, part) => inspectParts(inspection, scope, part.parts ?? []),
  LocaleString(inspection, scope, part) {
    inspectParts(inspection, scope, part.parts);
    inspection.deny("parse", `${showText(part.text)} depends on a translation`);
  },
  ExtendedGlob(inspection, scope, part) {
    inspectParts(inspection, scope, part.parts ?? []);
    inspection.deny("parse", `${showText(part.text)} is an extended glob, which is switched off`);
  },
  CommandExpansion(inspection, scope, part) {
    inspectScript(inspection, scope, part);
    // these run in the shell itself and could change its variables unseen
    if (/^\$\{[ \t\n|]/.test(part.text))
      inspection.deny("parse", "a substitution that runs in the shell itself is not followed");
  },
  ProcessSubstitution(inspection, scope, part) {
    inspectScript(inspection, scope, part);
    if (part.operator === ">") inspection.deny("path", "a process substitution may only be read from");
  },
  ArithmeticExpansion: (inspection, scope, part) => inspectArithmetic(inspection, scope, part.expression),
  ParameterExpansion: inspectParameter,
};

function inspectScript(
  inspection: Inspection,
  scope: Scope,
  part: { text: string; script: ParsedScript | undefined },
): void {
  if (part.script) inspection.walkScript(inspection, part.script, scope);
  else inspection.deny("parse", `${showText(part.text)} cannot be read`);
}

function inspectParameter(inspection: Inspection, scope: Scope, part: ParameterExpansionPart): void {
  if (part.prefix === "!")
    inspection.deny("re-evaluation", `${showText(part.text)} takes a variable's content for a name`);
  if (part.index && part.index.text !== "@" && part.index.text !== "*") {
    inspectWord(inspection, scope, part.index);
    inspectIndex(inspection, scope, part.index);
  }
  if (part.operation) inspectOperation(inspection, scope, part, part.operation);
}

function inspectOperation(
  inspection: Inspection,
  scope: Scope,
  part: ParameterExpansionPart,
  operation: ParameterOperation,
): void {
  for (const operand of operandsOf(operation)) inspectWord(inspection, scope, operand);
  if (operation.type === "Slice") {
    inspectIndex(inspection, scope, operation.offset);
    if (operation.length) inspectIndex(inspection, scope, operation.length);
  } else if (operation.type === "Transform" || operation.type === "Names" || operation.type === "Unknown") {
    inspection.deny("re-evaluation", `${showText(part.text)} evaluates a variable's content again`);
  } else if (operation.type === "Default" && operation.operator.endsWith("=")) {
    if (isPlainName(part.parameter)) scope.variables.set(part.parameter, unknownVariable);
    else inspection.deny("environment", `${showText(part.text)} would set ${part.parameter}`);
  }
}

function operandsOf(operation: ParameterOperation): readonly Word[] {
  switch (operation.type) {
    case "Default":
    case "Remove":
    case "Transform":
      return [operation.operand];
    case "Replace":
      return [operation.pattern, operation.replacement];
    case "Slice":
      return operation.length ? [operation.offset, operation.length] : [operation.offset];
    case "CaseModification":
      return operation.operand ? [operation.operand] : [];
    case "Names":
    case "Unknown":
      return [];
    default:
      return operation satisfies never;
  }
}
