import type { z } from "zod";
import { nearestName } from "../contract/nearest-name.ts";
import { describeAllowed, knownNames, listSettingKeys, schemaAt, settingsSchema } from "./setting-keys.ts";

type Issue = z.core.$ZodIssue;
type Checked = { success: true } | { success: false; error: z.ZodError };
type Origin = {
  raw: unknown;
  /** The file or the variable that holds the value at a path. */
  source(path: readonly PropertyKey[]): string;
};

export type FoundProblem = { path: readonly PropertyKey[]; words: string };

/** One sentence for each thing that is wrong: where, which key, which value, and what is allowed. */
export function describeProblems(checked: Checked, origin: Origin): string[] {
  return findProblems(checked, origin.raw).map(({ path, words }) => `${origin.source(path)}: ${words}`);
}

/** The same, each with the place in the file that it is about. */
export function findProblems(checked: Checked, raw: unknown): readonly FoundProblem[] {
  return checked.success ? [] : checked.error.issues.flatMap((issue) => describeIssue(issue, raw));
}

function describeIssue(issue: Issue, raw: unknown): FoundProblem[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: [...path, key], words: describeUnknown([...path, key]) }));
  if (issue.code === "invalid_key") return [{ path, words: describeBadName(issue) }];
  const key = path.length === 0 ? "the whole file" : formatPath(path);
  const value = valueAt(raw, path);
  const found = value === undefined ? `${key} is missing` : `${key} is ${shorten(JSON.stringify(value))}`;
  return [{ path, words: `${found}; ${describeRule(issue)}` }];
}

function describeRule(issue: Issue): string {
  // the schema's own words where it has any, such as "a model is named provider/model"
  if (!/^(?:Invalid|Too) /.test(issue.message)) return issue.message;
  const schema = schemaAt(settingsSchema(), issue.path);
  return schema ? `it must be ${describeAllowed(schema)}` : issue.message;
}

/** What to write instead of a key that there is not. */
export function describeUnknown(path: readonly PropertyKey[]): string {
  const written = formatPath(path);
  const schema = settingsSchema();
  const parent = path.slice(0, -1);
  const siblings = knownNames(schemaAt(schema, parent)).map((name) => formatPath([...parent, name]));
  const keys = listSettingKeys(schema).map((key) => key.path);
  const likely =
    nearestName(written, siblings) ??
    nearestName(
      written,
      keys.map((key) => key.join(".")),
    ) ??
    // the right name in the wrong section
    keys.find((key) => key.at(-1) === path.at(-1))?.join(".");
  const hint = likely
    ? `did you mean ${likely}?`
    : `${formatPath(parent) || "the file"} may hold: ${siblings.join(", ")}`;
  return `${written} is not a setting; ${hint}`;
}

function describeBadName(issue: z.core.$ZodIssueInvalidKey): string {
  const pattern = issue.issues.find((inner) => inner.code === "invalid_format")?.pattern;
  const rule = pattern ? `a name here looks like ${pattern}` : "it cannot stand here";
  return `${JSON.stringify(issue.path.at(-1))} in ${formatPath(issue.path.slice(0, -1))} is not a usable name; ${rule}`;
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.map(String).join(".");
}

export function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = raw;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
