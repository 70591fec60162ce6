import { nearestName } from "../contract/names/nearest-name.ts";
import { setAt } from "./nested-value.ts";
import { listSettingKeys, type SettingKey, settingsSchema } from "./setting-keys.ts";
import { findProblems, parseSettingText } from "./setting-problems.ts";

// read by main.ts before there are settings
const otherVariables: readonly string[] = ["STEWARD_HOME", "STEWARD_GATEWAY_TOKEN", "STEWARD_DEBUG"];

type Environment = Readonly<Record<string, string | undefined>>;
type Override = { key: SettingKey; value: unknown };

/** The settings that STEWARD_ variables give; an empty variable counts as not set. */
export function readSettingOverrides(environment: Environment) {
  const keys = listSettingKeys(settingsSchema());
  const problems: string[] = [];
  const overrides: Override[] = [];
  for (const key of keys) {
    const text = environment[key.environmentName];
    if (text === undefined || text === "") continue;
    const parsed = parseSettingText(key, text);
    if (parsed.ok) overrides.push({ key, value: parsed.value });
    else problems.push(`${key.environmentName}: ${parsed.problem}`);
  }
  for (const { path, words } of findProblems(applyTo({}))) problems.push(`${variableFor(keys, path)}: ${words}`);
  // key → the variable that decides it
  const variables = Object.fromEntries(overrides.map(({ key }) => [key.path.join("."), key.environmentName]));
  return { problems, warnings: unknownVariables(environment, keys), variables, applyTo };

  /** A copy of the file's content with the environment's values in place. */
  function applyTo(written: unknown): unknown {
    const merged = structuredClone(written);
    for (const { key, value } of overrides) setAt(merged, key.path, value);
    return merged;
  }
}

function variableFor(keys: readonly SettingKey[], path: readonly PropertyKey[]): string {
  const key = keys.find((one) => one.path.every((name, depth) => name === path[depth]));
  return key?.environmentName ?? "the environment";
}

function unknownVariables(environment: Environment, keys: readonly SettingKey[]): string[] {
  const known = [...keys.map((key) => key.environmentName), ...otherVariables];
  return Object.keys(environment)
    .filter((name) => name.startsWith("STEWARD_") && !known.includes(name))
    .map((name) => {
      const near = nearestName(name, known);
      return `${name} is not a setting and is ignored${near ? `; did you mean ${near}?` : ""}`;
    });
}
