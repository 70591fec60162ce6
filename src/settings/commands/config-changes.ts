// A setting changed from the command line: by the Steward that runs, so that it is on record and in order, else in the file.
import { join } from "node:path";
import { Failure } from "../../contract/failure.ts";
import type { CommandConsole, CommandContext } from "../../contract/room/command.ts";
import { printJson } from "../../contract/room/json-output.ts";
import { CallRefused, type GatewayClient } from "../../contract/wire/client.ts";
import type { SettingChange } from "../change-settings.ts";
import { valueAt } from "../nested-value.ts";
import { saveChanges } from "../open-settings-file.ts";
import { findSetting } from "../setting-keys.ts";
import { describeUnknown, parseSettingText, shorten } from "../setting-problems.ts";
import { createWhenMissing, prepareHome, readWritten } from "../settings-file.ts";

export type ConfigChange = {
  key: string;
  /** What the file now holds; undefined when it leaves the default to Steward. */
  value: unknown;
  changed: boolean;
  path: string;
  /** The process that runs, if one does. */
  pid?: number;
  needsRestart: boolean;
  warnings: readonly string[];
};

type Saved = Pick<ConfigChange, "path" | "pid" | "needsRestart">;

export async function setSetting(context: CommandContext, key: string, text: string): Promise<ConfigChange> {
  const place = findSetting(key);
  if (!place) throw notChanged(describeUnknown(key.split(".")));
  const parsed = parseSettingText(place, text);
  if (!parsed.ok) throw notChanged(parsed.problem);
  return change(context, { key, value: parsed.value });
}

export async function unsetSetting(context: CommandContext, key: string): Promise<ConfigChange> {
  if (!findSetting(key)) throw notChanged(describeUnknown(key.split(".")));
  return change(context, { key, value: null });
}

/** False when none runs. */
export async function applySettings(context: CommandContext): Promise<boolean> {
  const running = await context.findRunning();
  if (!running) return false;
  try {
    return (await running.call("settings.apply", {})).ok;
  } finally {
    await running.close();
  }
}

export function tellChange(console: CommandConsole, told: ConfigChange, asJson: boolean): number {
  if (asJson) {
    printJson(console, told);
    return 0;
  }
  const value = told.value === undefined ? "its default" : shorten(JSON.stringify(told.value));
  console.output.write(`${told.key} is ${told.changed ? "now" : "already"} ${value}.\n`);
  for (const warning of told.warnings) console.errors.write(`${warning}\n`);
  if (told.needsRestart)
    console.errors.write(
      `Steward runs with the old value (process ${told.pid}) until it starts anew. Do that with: steward config apply\n`,
    );
  return 0;
}

async function change(context: CommandContext, wish: SettingChange): Promise<ConfigChange> {
  const path = join(context.home, "config.json");
  await prepareHome(context.home);
  await createWhenMissing(path);
  const before = await writtenAt(path, wish.key);
  const saved = await save(context, path, wish);
  const value = await writtenAt(path, wish.key);
  const changed = JSON.stringify(before) !== JSON.stringify(value);
  return { key: wish.key, value, changed, ...saved, warnings: await warningsFor(context, wish.key) };
}

async function writtenAt(path: string, key: string): Promise<unknown> {
  return valueAt((await readWritten(path)).written, findSetting(key)?.path ?? []);
}

async function save(context: CommandContext, path: string, wish: SettingChange): Promise<Saved> {
  const running = await context.findRunning();
  if (!running) return { ...(await saveInFile(path, wish)), needsRestart: false };
  try {
    const saved = await saveThrough(running, wish).catch((cause) => {
      // a file with mistakes cannot be read by the one that runs, and the change may be what mends it
      if (cause instanceof CallRefused) return saveInFile(path, wish);
      throw cause;
    });
    const { pending } = await running.call("settings.get", {});
    const { pid } = await running.call("health.check", {});
    return { ...saved, pid, needsRestart: pending.some((key) => isWithin(wish.key, key)) };
  } finally {
    await running.close();
  }
}

async function saveThrough(running: GatewayClient, wish: SettingChange): Promise<{ path: string }> {
  const { revision, path } = await running.call("settings.get", {});
  const changes = [{ key: wish.key, value: wish.value }];
  const { saved, problems } = await running.call("settings.set", { revision, changes });
  if (!saved) throw notChanged(...problems.map(({ message }) => message));
  return { path };
}

async function saveInFile(path: string, wish: SettingChange): Promise<{ path: string }> {
  const outcome = await saveChanges(path, undefined, [wish]);
  if (outcome.kind === "problems") throw notChanged(...outcome.problems.map(({ message }) => message));
  return { path };
}

/** What is odd afterwards about this very setting. */
async function warningsFor(context: CommandContext, key: string): Promise<string[]> {
  const { overridden, warnings } = await context.readSettings();
  const variable = Object.entries(overridden).find(([decided]) => isWithin(key, decided))?.[1];
  const found = variable === undefined ? [] : [`${variable} is set here and decides in its place.`];
  const about = [...warnings, ...(key.startsWith("guard.tools") ? await oddTools(context) : [])];
  return [...found, ...about.filter((warning) => warning.startsWith(key) || key.startsWith("models.providers"))];
}

// which tools there are is known to a Steward only
async function oddTools(context: CommandContext): Promise<readonly string[]> {
  const client = await context.connect();
  try {
    return (await client.call("settings.get", {})).warnings ?? [];
  } finally {
    await client.close();
  }
}

function isWithin(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

function notChanged(...problems: readonly string[]): Failure {
  const words = problems.map((problem) => problem.replace(/\.$/, "")).join("; ");
  return new Failure(`Nothing was changed. ${words}${/[?]$/.test(words) ? "" : "."}`);
}
