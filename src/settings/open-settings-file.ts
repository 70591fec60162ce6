// The settings as the owner's own clients read and change them while Steward runs; the agent has no way here.
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Settings } from "../contract/settings.ts";
import type { SettingProblem } from "../contract/wire/methods/settings.ts";
import { changeSettings, type SettingChange } from "./change-settings.ts";
import { valueAt } from "./nested-value.ts";
import { type ReadSettings, readSettings, type SettingsDeps } from "./read-settings.ts";
import { replaceOwnFile } from "./replace-own-file.ts";
import { listSettingKeys, settingsSchema } from "./setting-keys.ts";
import { readWritten, revisionOf } from "./settings-file.ts";

export type SettingsFileDeps = SettingsDeps & {
  /** What this process runs with. */
  running: Settings;
};

export type SavedSettings = Pick<ReadSettings, "path" | "revision" | "values" | "overridden" | "warnings"> & {
  /** What the next start runs with. */
  next: Settings;
  schema: Record<string, unknown>;
  /** The keys that wait for the next start. */
  pending: string[];
};

export type SaveOutcome =
  | { kind: "saved"; revision: string; changedKeys: readonly string[] }
  | { kind: "problems"; problems: SettingProblem[]; revision: string }
  | { kind: "conflict"; revision: string };

export type SettingsFile = {
  /** Throws a Failure when the file has been edited into something unusable. */
  read(): Promise<SavedSettings>;
  /** All changes or none; without a revision the file is changed as it stands. */
  save(revision: string | undefined, changes: readonly SettingChange[]): Promise<SaveOutcome>;
};

export function openSettingsFile(deps: SettingsFileDeps): SettingsFile {
  const path = join(deps.home, "config.json");
  let lastSave: Promise<unknown> = Promise.resolve();

  return {
    async read() {
      const { revision, values, settings: next, overridden, warnings } = await readSettings(deps);
      const pending = differingKeys(deps.running, next);
      return { path, revision, values, next, schema: { ...settingsSchema() }, overridden, pending, warnings };
    },
    save(revision, changes) {
      const mine = lastSave.then(() => saveChanges(path, revision, changes));
      // the chain only orders saves; each caller hears of its own failure
      lastSave = mine.catch(() => undefined);
      return mine;
    },
  };
}

/** A file with mistakes is not refused here: a save may be what mends it. */
export async function saveChanges(
  path: string,
  revision: string | undefined,
  changes: readonly SettingChange[],
): Promise<SaveOutcome> {
  const found = await readWritten(path);
  if (revision !== undefined && revision !== found.revision) return { kind: "conflict", revision: found.revision };
  const changed = changeSettings(found.written, changes);
  if (!changed.ok) return { kind: "problems", problems: changed.problems, revision: found.revision };
  const { changedKeys } = changed;
  if (changedKeys.length === 0) return { kind: "saved", revision: found.revision, changedKeys };
  const text = `${JSON.stringify(changed.written, null, 2)}\n`;
  await replaceOwnFile(path, text);
  return { kind: "saved", revision: revisionOf(text), changedKeys };
}

function differingKeys(running: Settings, next: Settings): string[] {
  return listSettingKeys(settingsSchema())
    .filter(({ path }) => !isDeepStrictEqual(valueAt(running, path), valueAt(next, path)))
    .map(({ path }) => path.join("."));
}
