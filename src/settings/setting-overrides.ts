import { nearestName } from "../contract/nearest-name.ts";
import { Settings } from "../contract/settings.ts";
import {
  describeAllowed,
  isNullable,
  listSettingKeys,
  type SettingKey,
  settingsSchema,
  valueType,
} from "./setting-keys.ts";
import { describeProblems } from "./setting-problems.ts";

// read by main.ts before there are settings
const otherVariables: readonly string[] = ["STEWARD_HOME", "STEWARD_GATEWAY_TOKEN"];

type Override = { key: SettingKey; value: unknown };
export type SettingOverrides = {
  problems: string[];
  warnings: string[];
  /** Key → the variable that decides it. */
  variables: Readonly<Record<string, string>>;
  /** A copy of the file's content with the environment's values in place. */
  applyTo(written: unknown): unknown;
};

/** The settings that STEWARD_ variables give; an empty variable counts as not set. */
export function readSettingOverrides(environment: Readonly<Record<string, string | undefined>>): SettingOverrides {
  const keys = listSettingKeys(settingsSchema());
  const problems: string[] = [];
  const overrides: Override[] = [];
  for (const key of keys) {
    const text = environment[key.environmentName];
    if (text === undefined || text === "") continue;
    const parsed = parseValue(key, text);
    if (parsed.ok) overrides.push({ key, value: parsed.value });
    else problems.push(parsed.problem);
  }
  const applyTo = (written: unknown) => applyAll(written, overrides);
  const raw = applyTo({});
  problems.push(...describeProblems(Settings.safeParse(raw), { raw, source: (path) => variableFor(keys, path) }));
  const variables = Object.fromEntries(overrides.map(({ key }) => [key.path.join("."), key.environmentName]));
  return { problems, warnings: unknownVariables(environment, keys), variables, applyTo };
}

type ParsedValue = { ok: true; value: unknown } | { ok: false; problem: string };

function parseValue(key: SettingKey, text: string): ParsedValue {
  if (text === "null" && isNullable(key.schema)) return { ok: true, value: null };
  const type = valueType(key.schema);
  if (type === "string") return { ok: true, value: text };
  try {
    // numbers, true and false, lists and objects are all written as JSON writes them
    return { ok: true, value: JSON.parse(text) };
  } catch {
    // not an error of ours: the sentence below tells the owner what to write
    const json = type === "array" || type === "object" ? ", written as JSON" : "";
    const allowed = describeAllowed(key.schema);
    const shown = JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
    return {
      ok: false,
      problem: `${key.environmentName}: ${key.path.join(".")} is ${shown}; it must be ${allowed}${json}`,
    };
  }
}

function applyAll(written: unknown, overrides: readonly Override[]): unknown {
  const root = asRecord(structuredClone(written));
  for (const { key, value } of overrides) {
    let section = root;
    for (const name of key.path.slice(0, -1)) {
      const next = asRecord(section[name]);
      section[name] = next;
      section = next;
    }
    section[key.path.at(-1) ?? ""] = value;
  }
  return root;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function variableFor(keys: readonly SettingKey[], path: readonly PropertyKey[]): string {
  const key = keys.find((one) => one.path.every((name, depth) => name === path[depth]));
  return key?.environmentName ?? "the environment";
}

function unknownVariables(
  environment: Readonly<Record<string, string | undefined>>,
  keys: readonly SettingKey[],
): string[] {
  const known = [...keys.map((key) => key.environmentName), ...otherVariables];
  return Object.keys(environment)
    .filter((name) => name.startsWith("STEWARD_") && !known.includes(name))
    .map((name) => {
      const near = nearestName(name, known);
      return `${name} is not a setting and is ignored${near ? `; did you mean ${near}?` : ""}`;
    });
}
