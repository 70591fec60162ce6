// The settings file as the owner's own clients read and change it while Steward runs; the agent has no way here.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../contract/failure.ts";
import { Settings } from "../contract/settings.ts";
import { changeSettings, type SettingChange, type SettingProblem } from "./change-settings.ts";
import { replaceOwnFile } from "./replace-own-file.ts";
import { listSettingKeys, settingsSchema } from "./setting-keys.ts";
import { readSettingOverrides } from "./setting-overrides.ts";
import { describeProblems, valueAt } from "./setting-problems.ts";
import { parseSettingsText } from "./settings-file.ts";

export type SettingsFileDeps = {
  home: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** What this process runs with. */
  running: Settings;
};

export type SavedSettings = {
  path: string;
  /** Changes with every change of the file. */
  revision: string;
  /** The file with defaults for what it leaves out. */
  values: Settings;
  /** The same with the environment's values in place: what the next start runs with. */
  next: Settings;
  schema: Record<string, unknown>;
  overridden: Readonly<Record<string, string>>;
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
  const overrides = readSettingOverrides(deps.environment);
  let lastSave: Promise<unknown> = Promise.resolve();

  return {
    async read() {
      const { written, revision } = await readWritten();
      const problems = describeProblems(Settings.safeParse(written), { raw: written, source: () => "config.json" });
      if (problems.length > 0) throw new Failure(`The settings file is not usable. ${problems.join(" ")}`);
      const next = Settings.parse(overrides.applyTo(written));
      const { variables } = overrides;
      return {
        path,
        revision,
        values: Settings.parse(written),
        next,
        schema: { ...settingsSchema() },
        overridden: variables,
        pending: differingKeys(deps.running, next),
      };
    },
    save(revision, changes) {
      const mine = lastSave.then(() => saveNow(revision, changes));
      // the chain only orders saves; each caller hears of its own failure
      lastSave = mine.catch(() => undefined);
      return mine;
    },
  };

  async function saveNow(revision: string | undefined, changes: readonly SettingChange[]): Promise<SaveOutcome> {
    const found = await readWritten();
    if (revision !== undefined && revision !== found.revision) return { kind: "conflict", revision: found.revision };
    const changed = changeSettings(found.written, changes, overrides.applyTo);
    if (!changed.ok) return { kind: "problems", problems: changed.problems, revision: found.revision };
    const { changedKeys } = changed;
    if (changedKeys.length === 0) return { kind: "saved", revision: found.revision, changedKeys };
    const text = `${JSON.stringify(changed.written, null, 2)}\n`;
    await replaceOwnFile(path, text);
    return { kind: "saved", revision: revisionOf(Buffer.from(text)), changedKeys };
  }

  async function readWritten(): Promise<{ written: unknown; revision: string }> {
    const bytes = await readFile(path);
    return { written: parseSettingsText("config.json", bytes.toString("utf8")), revision: revisionOf(bytes) };
  }
}

function revisionOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function differingKeys(running: Settings, next: Settings): string[] {
  return listSettingKeys(settingsSchema())
    .filter(({ path }) => !isDeepStrictEqual(valueAt(running, path), valueAt(next, path)))
    .map(({ path }) => path.join("."));
}
