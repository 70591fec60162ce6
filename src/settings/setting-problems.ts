// What is wrong with a setting, and what may stand there, in words for the owner.
import type { z } from "zod";
import { nearestName } from "../contract/names/nearest-name.ts";
import { Settings } from "../contract/settings.ts";
import { valueAt } from "./nested-value.ts";
import {
  isNullable,
  type JsonSchema,
  listSettingKeys,
  type SettingPlace,
  schemaAt,
  settingsSchema,
  valueType,
  variants,
} from "./setting-keys.ts";

type Issue = z.core.$ZodIssue;

/** A place in the settings, and in one sentence what is wrong there: which key, which value, and what is allowed. */
export type FoundProblem = { path: readonly PropertyKey[]; words: string };

export function findProblems(raw: unknown): readonly FoundProblem[] {
  const checked = Settings.safeParse(raw);
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
  const parent = path.slice(0, -1);
  const siblings = namesBeside(path);
  const likely = likelyKey(path);
  const beside =
    siblings.length > 0
      ? `${formatPath(parent) || "the file"} may hold: ${siblings.join(", ")}`
      : "all of them: steward config list";
  const hint = likely ? `did you mean ${likely}?` : beside;
  return `${formatPath(path)} is not a setting; ${hint}`;
}

/** The setting that somebody probably meant. */
export function likelyKey(path: readonly PropertyKey[]): string | undefined {
  const written = formatPath(path);
  const keys = listSettingKeys(settingsSchema()).map((key) => key.path);
  return (
    nearestName(written, namesBeside(path)) ??
    nearestName(written, keys.map(formatPath)) ??
    // the right name in the wrong section
    keys.find((key) => key.at(-1) === path.at(-1))?.join(".")
  );
}

function namesBeside(path: readonly PropertyKey[]): string[] {
  const parent = path.slice(0, -1);
  const names = Object.keys(schemaAt(settingsSchema(), parent)?.properties ?? {});
  return names.map((name) => formatPath([...parent, name]));
}

function describeBadName(issue: z.core.$ZodIssueInvalidKey): string {
  const pattern = issue.issues.find((inner) => inner.code === "invalid_format")?.pattern;
  const rule = pattern ? `a name here looks like ${pattern}` : "it cannot stand here";
  return `${JSON.stringify(issue.path.at(-1))} in ${formatPath(issue.path.slice(0, -1))} is not a usable name; ${rule}`;
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.map(String).join(".");
}

export function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

export type ParsedSetting = { ok: true; value: unknown } | { ok: false; problem: string };

/** A value as a person writes it in a variable or on the command line: text as it is, everything else as JSON. */
export function parseSettingText({ path, schema }: SettingPlace, text: string): ParsedSetting {
  if (text === "null" && isNullable(schema)) return { ok: true, value: null };
  const type = valueType(schema);
  if (type === "string") return { ok: true, value: text };
  try {
    // numbers, true and false, lists and objects are all written as JSON writes them
    return { ok: true, value: JSON.parse(text) };
  } catch {
    // not an error of ours: the sentence tells the owner what to write
    const json = type === "array" || type === "object" ? ", written as JSON" : "";
    const problem = `${path.join(".")} is ${shorten(JSON.stringify(text))}; it must be ${describeAllowed(schema)}${json}`;
    return { ok: false, problem };
  }
}

/** What may be written, in words that complete "it must be …". */
export function describeAllowed(schema: JsonSchema): string {
  return variants(schema).map(describeVariant).join(" or ");
}

function describeVariant(schema: JsonSchema): string {
  if (schema.enum) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(", ")}`;
  return kinds[String(schema.type)]?.(schema) ?? "a value";
}

const kinds: Readonly<Record<string, (schema: JsonSchema) => string>> = {
  boolean: () => "true or false",
  integer: (schema) => `a whole number${describeRange(schema)}`,
  number: (schema) => `a number${describeRange(schema)}`,
  string: describeText,
  null: () => "null",
  array: ({ items }) =>
    typeof items === "object" && !Array.isArray(items) ? `a list, each entry ${describeAllowed(items)}` : "a list",
  object: describeObject,
};

function describeObject(schema: JsonSchema): string {
  const names = schema.properties ? Object.keys(schema.properties) : [];
  if (names.length > 0) return `an object of ${names.join(", ")}`;
  const values = schema.additionalProperties;
  return typeof values === "object" ? `an object whose values are each ${describeAllowed(values)}` : "an object";
}

function describeText(schema: JsonSchema): string {
  if (schema.format === "uri") return "a web address such as http://127.0.0.1:11434/v1";
  if (schema.pattern) return `text that matches ${schema.pattern.replaceAll("\\/", "/")}`;
  if (schema.maxLength !== undefined) return `text of ${schema.minLength ?? 0} to ${schema.maxLength} characters`;
  return schema.minLength ? `text of at least ${schema.minLength} characters` : "text";
}

function describeRange(schema: JsonSchema): string {
  const least = schema.type === "integer" && schema.exclusiveMinimum === 0 ? 1 : schema.minimum;
  // zod gives every whole number this upper end; nobody needs to read it
  const most = schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum;
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`;
  const above = typeof schema.exclusiveMinimum === "number" ? ` above ${schema.exclusiveMinimum}` : "";
  const lower = least === undefined ? above : ` of at least ${least}`;
  return most === undefined ? lower : `${lower}${lower === "" ? " of" : " and"} at most ${most}`;
}
