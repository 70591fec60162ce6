import { Settings } from "../contract/settings.ts";
import { isNullable } from "./setting-keys.ts";
import { readSettingPath } from "./setting-path.ts";
import { type FoundProblem, findProblems } from "./setting-problems.ts";

export type SettingChange = { key: string; value?: unknown };
export type SettingProblem = { key: string; message: string };
export type ChangedSettings =
  | { ok: true; written: unknown; changedKeys: readonly string[] }
  | { ok: false; problems: SettingProblem[] };

type Placed = { key: string; path: readonly string[]; value: unknown; removes: boolean };

/** What the file would hold after all the changes; `applyOverrides` puts the environment's values in place. */
export function changeSettings(
  written: unknown,
  changes: readonly SettingChange[],
  applyOverrides: (written: unknown) => unknown,
): ChangedSettings {
  const placed: Placed[] = [];
  const problems: SettingProblem[] = [];
  for (const { key, value } of changes) {
    const found = readSettingPath(key);
    if (!found.ok) problems.push({ key, message: found.words });
    // null where null cannot stand means: as if nothing had been written
    else placed.push({ key, path: found.path, value, removes: value == null && !isNullable(found.schema) });
  }
  const changed = structuredClone(written);
  const changedKeys = placed.filter((change) => put(changed, change)).map(({ key }) => key);
  const merged = applyOverrides(changed);
  const found = [
    ...findProblems(Settings.safeParse(changed), changed),
    ...findProblems(Settings.safeParse(merged), merged),
  ];
  problems.push(...withoutRepeats(found.map((problem) => ({ key: keyOf(problem, placed), message: problem.words }))));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, written: changed, changedKeys };
}

/** Says whether the file is another one afterwards. */
function put(file: unknown, change: Placed): boolean {
  let place = file;
  for (const name of change.path.slice(0, -1)) {
    if (!isRecord(place)) return false;
    if (!Object.hasOwn(place, name)) {
      if (change.removes) return false;
      place[name] = {};
    }
    place = place[name];
  }
  const last = change.path.at(-1) ?? "";
  if (!isRecord(place)) return false;
  const before = JSON.stringify(place[last]);
  if (change.removes) delete place[last];
  else place[last] = change.value ?? null;
  return JSON.stringify(place[last]) !== before;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The change that the problem lies in or under; what the owner wrote by hand is named by its place. */
function keyOf(problem: FoundProblem, changes: readonly Placed[]): string {
  const path = problem.path.map(String);
  const change = changes.find(({ path: changed }) =>
    changed.every((name, depth) => depth >= path.length || name === path[depth]),
  );
  return change?.key ?? path.join(".");
}

function withoutRepeats(problems: readonly SettingProblem[]): SettingProblem[] {
  return problems.filter(
    (one, at) => problems.findIndex((other) => other.key === one.key && other.message === one.message) === at,
  );
}
