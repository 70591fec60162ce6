import type { ArrayValue, Assignment, Word } from "unbash";
import { expandToText, expandWord } from "../expand/expand-word.ts";
import { showText } from "../expand/field.ts";
import {
  isPlainName,
  numberVariable,
  type Scope,
  unknownVariable,
  type Value,
  type Variable,
  valuesVariable,
} from "../expand/scope.ts";
import { inspectIndex } from "./inspect-arithmetic.ts";
import { inspectWord } from "./inspect-word.ts";
import { forEachRound, type Inspection } from "./inspection.ts";

/** `name=value` on its own: remembered, so that later words are known. */
export function checkAssignment(inspection: Inspection, scope: Scope, assignment: Assignment): void {
  inspectAssignment(inspection, scope, assignment);
  if (!isPlainName(assignment.name))
    inspection.deny("environment", `${assignment.name} may steer other programs; only lower-case names may be set`);
  const value = variableFrom(inspection, scope, assignment);
  scope.variables.set(assignment.name, assignment.index ? unknownVariable : value);
}

/** `NAME=value command`: only a few names, and only literal values. */
export function checkEnvironment(inspection: Inspection, scope: Scope, assignment: Assignment): void {
  inspectAssignment(inspection, scope, assignment);
  const { name, value } = assignment;
  const plain = value.type === "Word" && !assignment.index && !assignment.append;
  if (!plain) {
    inspection.deny("environment", `${showText(assignment.text)} is no plain setting`);
    return;
  }
  forEachRound(inspection, scope, (expansion) => {
    const { text } = expandToText(expansion, value);
    if (text === undefined || !isAllowedEnvironment(name, text))
      inspection.deny("environment", `${showText(assignment.text)} may not be set for a command`);
  });
}

/** The variables that may be set for one command, with a value that is no path. */
function isAllowedEnvironment(name: string, value: string): boolean {
  if (/^(?:LC_ALL|LANG|TERM)$/.test(name)) return /^[\w.@-]*$/.test(value);
  if (name === "TZ")
    return /^[\w+,<>:.-]+(?:\/[\w+-]+)*$|^$/.test(value) && !value.includes("..") && !value.startsWith(":/");
  return /^(?:NODE_ENV|CI|NO_COLOR|FORCE_COLOR)$/.test(name);
}

function inspectAssignment(inspection: Inspection, scope: Scope, assignment: Assignment): void {
  if (assignment.index) {
    inspectWord(inspection, scope, assignment.index);
    inspectIndex(inspection, scope, assignment.index);
  }
  const words = assignment.value.type === "Word" ? [assignment.value] : assignment.value.elements;
  for (const word of words) inspectWord(inspection, scope, word);
}

function variableFrom(inspection: Inspection, scope: Scope, assignment: Assignment): Variable {
  const earlier = assignment.append ? scope.variables.get(assignment.name) : undefined;
  if (assignment.append && !earlier) return unknownVariable;
  return assignment.value.type === "Word"
    ? textValue(inspection, scope, assignment.value, earlier)
    : listValue(inspection, scope, assignment.value, earlier);
}

function textValue(inspection: Inspection, scope: Scope, word: Word, earlier: Variable | undefined): Variable {
  if (earlier && earlier.kind !== "values") return unknownVariable;
  const values: Value[] = [];
  let allNumbers = !earlier;
  let known = true;
  forEachRound(inspection, scope, (expansion) => {
    const { text, numeric } = expandToText(expansion, word);
    if (text !== undefined) {
      const before = earlier?.values[expansion.choices.pick("what it was", earlier.values.length)]?.text ?? "";
      values.push({ text: before + text });
    } else known = false;
    if (!numeric && (text === undefined || !/^-?\d+$/.test(text))) allNumbers = false;
  });
  if (known) return valuesVariable(values);
  return allNumbers ? numberVariable : unknownVariable;
}

function listValue(inspection: Inspection, scope: Scope, list: ArrayValue, earlier: Variable | undefined): Variable {
  for (const { text } of list.elements) {
    if (/^\[/.test(text) && /\]\+?=/.test(text) && !/^\[\d+\]\+?=/.test(text))
      inspection.deny("re-evaluation", `${showText(text)} has a subscript that is no number`);
  }
  if (earlier && earlier.kind !== "list") return unknownVariable;
  if (list.elements.some(({ text }) => text.startsWith("["))) return unknownVariable;
  const rounds: (Value[] | undefined)[] = [];
  forEachRound(inspection, scope, (expansion) => {
    const fields = list.elements.flatMap((word) => expandWord(expansion, word) ?? [{ kind: "stream" } as const]);
    const values = fields.flatMap((field) => (field.kind === "text" ? [{ ...field }] : []));
    rounds.push(values.length === fields.length ? values : undefined);
  });
  const only = rounds.length === 1 ? rounds[0] : undefined;
  return only ? { kind: "list", values: [...(earlier?.values ?? []), ...only] } : unknownVariable;
}
