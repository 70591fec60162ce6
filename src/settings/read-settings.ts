// The one reader of the settings: the Steward folder and the environment come in; whole and valid settings go out, or one
// clear Failure.
import { join } from "node:path";
import { Failure } from "../contract/failure.ts";
import { Settings } from "../contract/settings.ts";
import { safetyWarnings } from "./safety-warnings.ts";
import { readSettingOverrides } from "./setting-overrides.ts";
import { findProblems } from "./setting-problems.ts";
import { createWhenMissing, prepareHome, readWritten } from "./settings-file.ts";
import { unknownProviders } from "./unknown-names.ts";

export type SettingsDeps = { home: string; environment: Readonly<Record<string, string | undefined>> };

export type ReadSettings = {
  path: string;
  /** Changes with every change of the file. */
  revision: string;
  /** The file with defaults for what it leaves out. */
  values: Settings;
  /** The same with the environment's values in place: what a start runs with. */
  settings: Settings;
  /** Key → the variable that decides it. */
  overridden: Readonly<Record<string, string>>;
  created: boolean;
  warnings: readonly string[];
};

/** Reads config.json, which is created with all defaults on the first run and never rewritten by reading. */
export async function readSettings({ home, environment }: SettingsDeps): Promise<ReadSettings> {
  const path = join(home, "config.json");
  const warnings = await prepareHome(home);
  const created = await createWhenMissing(path);
  const { written, revision } = await readWritten(path);
  const overrides = readSettingOverrides(environment);
  const problems = [...findProblems(written).map(({ words }) => `${path}: ${words}`), ...overrides.problems];
  if (problems.length > 0) throw new Failure(formatProblems(path, problems));
  const settings = Settings.parse(overrides.applyTo(written));
  return {
    path,
    revision,
    values: Settings.parse(written),
    settings,
    overridden: overrides.variables,
    created,
    warnings: [...warnings, ...overrides.warnings, ...safetyWarnings(settings), ...unknownProviders(settings)],
  };
}

function formatProblems(path: string, problems: readonly string[]): string {
  const [only] = problems;
  if (problems.length === 1) return `The settings are not usable. ${only}`;
  return [`The settings are not usable; ${path} and the environment have ${problems.length} problems:`]
    .concat(problems.map((problem) => `  - ${problem}`))
    .join("\n");
}
