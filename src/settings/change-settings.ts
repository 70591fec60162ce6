import type { SettingProblem } from "../contract/wire/methods/settings.ts";
import { removeAt, setAt, valueAt } from "./nested-value.ts";
import { findSetting, isNullable, type SettingPlace } from "./setting-keys.ts";
import { describeUnknown, type FoundProblem, findProblems } from "./setting-problems.ts";

export type SettingChange = { key: string; value?: unknown };
export type ChangedSettings =
  | { ok: true; written: unknown; changedKeys: readonly string[] }
  | { ok: false; problems: SettingProblem[] };

type Placed = SettingPlace & SettingChange;

/** What the file would hold after all the changes. */
export function changeSettings(written: unknown, changes: readonly SettingChange[]): ChangedSettings {
  const placed: Placed[] = [];
  const problems: SettingProblem[] = [];
  for (const change of changes) {
    const place = findSetting(change.key);
    if (place) placed.push({ ...place, ...change });
    else problems.push({ key: change.key, message: describeUnknown(change.key.split(".")) });
  }
  const changed = structuredClone(written);
  const changedKeys = placed.filter((change) => put(changed, change)).map(({ key }) => key);
  for (const problem of findProblems(changed)) problems.push({ key: keyOf(problem, placed), message: problem.words });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, written: changed, changedKeys };
}

/** Says whether the file is another one afterwards. */
function put(file: unknown, { path, schema, value = null }: Placed): boolean {
  const before = JSON.stringify(valueAt(file, path));
  // null where null cannot stand means: as if nothing had been written
  if (value === null && !isNullable(schema)) removeAt(file, path);
  else setAt(file, path, value);
  return JSON.stringify(valueAt(file, path)) !== before;
}

/** The change that the problem lies in or under; what the owner wrote by hand is named by its place. */
function keyOf(problem: FoundProblem, changes: readonly Placed[]): string {
  const path = problem.path.map(String);
  const change = changes.find(({ path: changed }) =>
    changed.every((name, depth) => depth >= path.length || name === path[depth]),
  );
  return change?.key ?? path.join(".");
}
