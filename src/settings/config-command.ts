import { Failure } from "../contract/failure.ts";
import type { Command, CommandContext } from "../contract/room/command.ts";
import { valueAt } from "./nested-value.ts";

export const configCommand: Command = {
  name: "config",
  summary: "Show the settings",
  description: "Show the settings in force. To change them, edit the file named by: steward config path",
  default: "show",
  commands: [
    {
      name: "show",
      summary: "Print the settings in force, as JSON (also without a command)",
      async run(_input, context) {
        const { settings, path } = await readAndWarn(context);
        context.console.errors.write(`Settings file: ${path}\n`);
        context.console.output.write(`${JSON.stringify(settings, undefined, 2)}\n`);
        return 0;
      },
    },
    {
      name: "get",
      summary: "Print one setting",
      arguments: [{ form: "<key>", description: "such as agent.model" }],
      async run({ arguments: [key = ""] }, context) {
        const { likelyKey } = await import("./setting-problems.ts");
        const { settings } = await readAndWarn(context);
        const value = valueAt(settings, key.split("."));
        if (value === undefined) {
          const meant = likelyKey(key.split("."));
          const next = meant ? `Did you mean ${meant}?` : "All of them: steward config docs";
          throw new Failure(`There is no setting “${key}”. ${next}`);
        }
        context.console.output.write(`${typeof value === "string" ? value : JSON.stringify(value, undefined, 2)}\n`);
        return 0;
      },
    },
    {
      name: "docs",
      summary: "Explain every setting, as Markdown",
      async run(_input, { console }) {
        const { settingsDocs } = await import("./docs/settings-docs.ts");
        console.output.write(settingsDocs());
        return 0;
      },
    },
    {
      name: "path",
      summary: "Print where the settings file is",
      async run(_input, { console, readSettings }) {
        console.output.write(`${(await readSettings()).path}\n`);
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
