import { Failure } from "../../contract/failure.ts";
import type { Command, CommandContext } from "../../contract/room/command.ts";
import { jsonNotes, jsonOption, printJson } from "../../contract/room/json-output.ts";
import { valueAt } from "../nested-value.ts";

const keyArgument = { form: "<key>", description: "such as agent.model", completes: "setting" } as const;
const changeNotes = jsonNotes("key, value, changed, path, pid?, needsRestart, warnings: []");

export const configCommand: Command = {
  name: "config",
  summary: "Show and change the settings",
  description: "Show the settings in force, and change them.",
  default: "show",
  commands: [
    {
      name: "show",
      summary: "Print the settings in force, as JSON (also without a command)",
      notes: jsonNotes("path, settings, overridden: {key: variable}, warnings: []"),
      options: [jsonOption],
      async run({ flags }, context) {
        if (flags.has("json")) {
          const { path, settings, overridden, warnings } = await context.readSettings();
          printJson(context.console, { path, settings, overridden, warnings });
          return 0;
        }
        const { settings, path } = await readAndWarn(context);
        context.console.errors.write(`Settings file: ${path}\n`);
        printJson(context.console, settings);
        return 0;
      },
    },
    {
      name: "list",
      summary: "List every setting with its value and where that comes from",
      notes: jsonNotes("settings: [{key, value, default?, from: default, file or environment, variable?}]"),
      options: [jsonOption],
      async run({ flags }, context) {
        const { listSettings, settingLines } = await import("./list-settings.ts");
        const settings = listSettings(await context.readSettings());
        if (flags.has("json")) printJson(context.console, { settings });
        else for (const line of settingLines(settings)) context.console.output.write(`${line}\n`);
        return 0;
      },
    },
    {
      name: "get",
      summary: "Print one setting",
      notes: jsonNotes("key, value"),
      arguments: [keyArgument],
      options: [jsonOption],
      async run({ arguments: [key = ""], flags }, context) {
        const { findSetting } = await import("../setting-keys.ts");
        const { settings } = flags.has("json") ? await context.readSettings() : await readAndWarn(context);
        const value = valueAt(settings, findSetting(key)?.path ?? key.split("."));
        if (value === undefined) throw new Failure(await missingWords(key));
        if (flags.has("json")) printJson(context.console, { key, value });
        else if (typeof value === "string") context.console.output.write(`${value}\n`);
        else printJson(context.console, value);
        return 0;
      },
    },
    {
      name: "set",
      summary: "Change one setting",
      description:
        "Change one setting and leave the others as they are. Text as it is; numbers, true, false, null, lists and objects as JSON.",
      notes: changeNotes,
      arguments: [keyArgument, { form: "<value>", description: 'such as 20, true, my-name or \'["a", "b"]\'' }],
      options: [jsonOption],
      async run({ arguments: [key = "", text = ""], flags }, context) {
        const { setSetting, tellChange } = await import("./config-changes.ts");
        return tellChange(context.console, await setSetting(context, key, text), flags.has("json"));
      },
    },
    {
      name: "unset",
      summary: "Give one setting its default back, or take an entry out",
      notes: changeNotes,
      arguments: [keyArgument],
      options: [jsonOption],
      async run({ arguments: [key = ""], flags }, context) {
        const { tellChange, unsetSetting } = await import("./config-changes.ts");
        return tellChange(context.console, await unsetSetting(context, key), flags.has("json"));
      },
    },
    {
      name: "apply",
      summary: "Have the Steward that runs start anew with the saved settings",
      notes: jsonNotes("applied"),
      options: [jsonOption],
      async run({ flags }, context) {
        const { applySettings } = await import("./config-changes.ts");
        const applied = await applySettings(context);
        const words = applied
          ? "Steward restarts; whatever was under way carries on."
          : "No Steward runs: the next start uses them.";
        if (flags.has("json")) printJson(context.console, { applied });
        else context.console.output.write(`${words}\n`);
        return 0;
      },
    },
    {
      name: "docs",
      summary: "Explain every setting, as Markdown",
      async run(_input, { console }) {
        const { settingsDocs } = await import("../docs/settings-docs.ts");
        console.output.write(settingsDocs());
        return 0;
      },
    },
    {
      name: "path",
      summary: "Print where the settings file is",
      notes: jsonNotes("path"),
      options: [jsonOption],
      async run({ flags }, { console, readSettings }) {
        const { path } = await readSettings();
        if (flags.has("json")) printJson(console, { path });
        else console.output.write(`${path}\n`);
        return 0;
      },
    },
  ],
};

async function readAndWarn({ console, readSettings }: CommandContext) {
  const read = await readSettings();
  for (const warning of read.warnings) console.errors.write(`${warning}\n`);
  return read;
}

async function missingWords(key: string): Promise<string> {
  const { likelyKey } = await import("../setting-problems.ts");
  const meant = likelyKey(key.split("."));
  return `There is no setting “${key}”. ${meant ? `Did you mean ${meant}?` : "All of them: steward config list"}`;
}
