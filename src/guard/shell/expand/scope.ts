import { isDeepStrictEqual } from "node:util";

/** What is known of the shell at one point of the script: its variables and the folders it may be standing in. */
export type Scope = {
  variables: Map<string, Variable>;
  /** Real paths; several when a `cd` may or may not have worked. */
  folders: readonly string[];
};

export type Variable =
  /** values: one of these. list: an array of all of them. */
  | { kind: "values" | "list"; values: readonly Value[] }
  /** number: some whole number. */
  | { kind: "number" | "unknown" };

/** A value and, when it is a file name that a glob found, that glob. */
export type Value = { text: string; pattern?: string };

/** More alternatives than this are not followed: the variable becomes unknown, which allows less, never more. */
const mostValues = 4096;

export const unknownVariable: Variable = { kind: "unknown" };
export const numberVariable: Variable = { kind: "number" };

export function copyScope(scope: Scope): Scope {
  return { variables: new Map(scope.variables), folders: scope.folders };
}

/** What copying and comparing it costs. */
export function sizeOf({ variables, folders }: Scope): number {
  let size = (folders.length + variables.size) / 4;
  for (const variable of variables.values())
    if ("values" in variable) for (const { text } of variable.values) size += (1 + text.length / 16) / 4;
  return size;
}

/** Lower-case names belong to the script; others, and proxies and npm's settings, steer programs. */
export function isPlainName(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(name) && name !== "_" && !/_proxy$|^npm_/.test(name);
}

/** What is known after two ways that the script may have taken. */
export function joinScopes(one: Scope, other: Scope): Scope {
  const variables = new Map<string, Variable>();
  for (const [name, variable] of one.variables)
    variables.set(name, joinVariables(variable, other.variables.get(name) ?? unknownVariable));
  for (const name of other.variables.keys()) if (!variables.has(name)) variables.set(name, unknownVariable);
  return { variables, folders: [...new Set([...one.folders, ...other.folders])] };
}

export function sameScopes(one: Scope, other: Scope): boolean {
  if (one.variables.size !== other.variables.size || one.folders.join("\0") !== other.folders.join("\0")) return false;
  for (const [name, variable] of one.variables) {
    const counterpart = other.variables.get(name);
    if (!counterpart || !sameVariables(variable, counterpart)) return false;
  }
  return true;
}

/** Gives up on exact values of whatever still changes, so that a loop comes to rest. */
export function widenScope(before: Scope, after: Scope): Scope {
  const variables = new Map(after.variables);
  for (const [name, variable] of after.variables) {
    const earlier = before.variables.get(name);
    if (earlier && sameVariables(earlier, variable)) continue;
    variables.set(name, isNumberVariable(variable) ? numberVariable : unknownVariable);
  }
  return { variables, folders: after.folders };
}

export function isNumberVariable(variable: Variable = unknownVariable): boolean {
  if (variable.kind === "unknown") return false;
  return textsOf(variable).every((text) => /^-?\d{1,18}$/.test(text));
}

function textsOf(variable: Variable): string[] {
  return "values" in variable ? variable.values.map(({ text }) => text) : [];
}

export function valuesVariable(values: readonly Value[]): Variable {
  const distinct = new Map(values.map((value) => [value.text, value]));
  return distinct.size > mostValues ? unknownVariable : { kind: "values", values: [...distinct.values()] };
}

function joinVariables(one: Variable, other: Variable): Variable {
  if (sameVariables(one, other)) return one;
  if (one.kind === "values" && other.kind === "values") return valuesVariable([...one.values, ...other.values]);
  if (one.kind !== "list" && other.kind !== "list" && isNumberVariable(one) && isNumberVariable(other))
    return numberVariable;
  return unknownVariable;
}

function sameVariables(one: Variable, other: Variable): boolean {
  return one === other || (one.kind === other.kind && isDeepStrictEqual(textsOf(one), textsOf(other)));
}
