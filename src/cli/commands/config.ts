import { Failure } from "../../contract/failure.ts";
import { nearestName } from "../../contract/nearest-name.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";

/** The settings in force, as JSON on the output; where they come from and what is odd about them beside it. */
export async function showConfig(deps: CommandLineDeps): Promise<number> {
  const { settings, path } = await readAndWarn(deps);
  deps.console.errors.write(`Settings file: ${path}\n`);
  deps.console.output.write(`${JSON.stringify(settings, undefined, 2)}\n`);
  return 0;
}

export async function showConfigPath(deps: CommandLineDeps): Promise<number> {
  const { path } = await deps.readSettings();
  deps.console.output.write(`${path}\n`);
  return 0;
}

export async function getConfig(deps: CommandLineDeps, key: string): Promise<number> {
  const { settings } = await readAndWarn(deps);
  const value = key.split(".").reduce<unknown>(fieldOf, settings);
  if (value === undefined) {
    const meant = nearestName(key, settingKeys(settings));
    const next = meant ? `Did you mean ${meant}?` : "All of them: steward config docs";
    throw new Failure(`There is no setting “${key}”. ${next}`);
  }
  deps.console.output.write(`${typeof value === "string" ? value : JSON.stringify(value, undefined, 2)}\n`);
  return 0;
}

async function readAndWarn(deps: CommandLineDeps) {
  const read = await deps.readSettings();
  for (const warning of read.warnings) deps.console.errors.write(`${warning}\n`);
  return read;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

function settingKeys(value: unknown, prefix = ""): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    `${prefix}${key}`,
    ...settingKeys(inner, `${prefix}${key}.`),
  ]);
}
