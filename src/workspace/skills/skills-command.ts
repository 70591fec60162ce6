import type { Command, CommandContext } from "../../contract/room/command.ts";
import { jsonNotes, jsonOption, printJson } from "../../contract/room/json-output.ts";
import type { ListedSkills } from "./open-skills.ts";

export const skillsCommand: Command = {
  name: "skills",
  summary: "Show and check the skills",
  description: "Show and check the skills. Your own lie in the workspace, as skills/<name>/SKILL.md.",
  default: "list",
  commands: [
    {
      name: "list",
      summary: "List the skills that the assistant can use (also without a command)",
      notes: jsonNotes("skills: [{name, description, source, file, path, replacesBundled}], problems"),
      options: [jsonOption],
      async run({ flags }, context) {
        const listed = await listSkills(context);
        const { printSkills } = await import("./print-skills.ts");
        if (flags.has("json")) printJson(context.console, listed);
        else printSkills(context.console, listed);
        return 0;
      },
    },
    {
      name: "check",
      summary: "Say what is wrong with any skill",
      description: "Say what is wrong with any skill, and what to do. The exit code is 1 when one is left out.",
      notes: jsonNotes("ok, problems: [{severity, file, line?, message, next}]"),
      options: [jsonOption],
      async run({ flags }, context) {
        const listed = await listSkills(context);
        const { printProblems } = await import("./print-skills.ts");
        const ok = listed.problems.every(({ severity }) => severity === "warning");
        if (flags.has("json")) printJson(context.console, { ok, problems: listed.problems });
        else printProblems(context.console, listed);
        return ok ? 0 : 1;
      },
    },
  ],
};

async function listSkills(context: CommandContext): Promise<ListedSkills> {
  const { findWorkspace } = await import("../find-workspace.ts");
  const { openSkills } = await import("./open-skills.ts");
  const { settings } = await context.readSettings();
  return openSkills({ workspace: findWorkspace({ home: context.home, settings }) }).list();
}
