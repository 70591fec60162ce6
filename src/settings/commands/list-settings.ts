import { isDeepStrictEqual } from "node:util";
import type { SettingsInForce } from "../../contract/room/command.ts";
import { valueAt } from "../nested-value.ts";
import { listSettingKeys, settingsSchema } from "../setting-keys.ts";
import { shorten } from "../setting-problems.ts";

export type ListedSetting = {
  key: string;
  value: unknown;
  default?: unknown;
  from: "default" | "file" | "environment";
  /** The environment variable that decides it. */
  variable?: string;
};

export function listSettings({ settings, overridden }: SettingsInForce): readonly ListedSetting[] {
  return listSettingKeys(settingsSchema()).map(({ path, schema }) => {
    const key = path.join(".");
    const value = valueAt(settings, path);
    const variable = overridden[key];
    const byDefault = schema.default === undefined ? {} : { default: schema.default };
    if (variable !== undefined) return { key, value, ...byDefault, from: "environment", variable };
    return { key, value, ...byDefault, from: isDeepStrictEqual(value, schema.default) ? "default" : "file" };
  });
}

/** One line each: the key, its value, and what has decided it where that is not the default. */
export function settingLines(settings: readonly ListedSetting[]): string[] {
  const width = Math.max(...settings.map(({ key }) => key.length));
  return settings.map(({ key, value, from, variable }) => {
    const where = from === "default" ? "" : `  (${variable ?? from})`;
    return `${key.padEnd(width)}  ${shorten(JSON.stringify(value) ?? "")}${where}`;
  });
}
