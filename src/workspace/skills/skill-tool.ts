// How the model reads a skill: by its name. Bundled ones lie outside the workspace, where no file tool reaches, and a name
// that stands in the list is all that can be asked for.
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { nearestName } from "../../contract/names/nearest-name.ts";
import { defineTool, type Tool, type ToolResult, textResult } from "../../contract/tool.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import type { ListedSkill, ListedSkills, Skills } from "./open-skills.ts";
import { readSkillText } from "./read-skill.ts";
import { problemWords } from "./skill.ts";
import { skillBlock, skillToolName } from "./skills-prompt.ts";

const mostFiles = 50;
const shownDescription = 200;

export function skillTool(skills: Skills): Tool {
  return defineTool({
    name: skillToolName,
    // every request carries it; that a call without a name lists all is told where it matters
    description: "Read a skill.",
    arguments: z.object({ name: z.string().max(200).optional() }),
    result: textResult,
    effects: ["reads"],
    class: "read",
    undo: { kind: "nothing to undo" },
    formatApproval: ({ name }) => (name ? `Read the skill ${name}` : "List the skills"),
    async run(_context, { name }) {
      const listed = await skills.list();
      if (!name) return listAll(listed);
      const skill = listed.skills.find((each) => each.name === name);
      return skill ? readWhole(skill) : failed(unknownName(listed, name));
    },
  });
}

async function readWhole(skill: ListedSkill): Promise<ToolResult> {
  const read = await readSkillText(skill.path);
  if ("mistake" in read) return failed(`The skill ${skill.name} cannot be read: ${read.mistake}. ${read.next}`.trim());
  if (skill.source === "bundled") return done(read.text);
  const others = await listOthers(dirname(skill.path), dirname(skill.file));
  const shown = others.map((name) => visibleLine(name)).join(", ");
  const output = others.length === 0 ? read.text : `${read.text}\n\n[Further files of this skill, for read: ${shown}]`;
  // whatever clings to the file clings to its words
  return { ...done(output), read: [skill.file], named: others };
}

async function listOthers(path: string, shown: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true, recursive: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name !== "SKILL.md")
      .map((entry) => join(shown, entry.parentPath.slice(path.length), entry.name))
      .sort()
      .slice(0, mostFiles);
  } catch {
    // the instructions have been read; what lies beside them is only named for convenience
    return [];
  }
}

function listAll({ skills, problems }: ListedSkills): ToolResult {
  const lines = skills.map((skill) => `${skillBlock(skill, shownDescription)} ${visibleLine(skill.file)}`);
  const output = [...lines, ...problems.map((problem) => visibleLine(problemWords(problem)))].join("\n");
  const own = skills.filter(({ source }) => source !== "bundled").map(({ file }) => file);
  return { ...done(output || "There are no skills."), read: own, named: problems.map(({ file }) => file) };
}

function unknownName({ skills, problems }: ListedSkills, name: string): string {
  const broken = problems.find(({ severity, file }) => severity === "error" && file.endsWith(`/${name}/SKILL.md`));
  if (broken) return visibleLine(problemWords(broken));
  const names = skills.map((skill) => skill.name);
  const near = nearestName(name, names);
  return `There is no skill of that name. ${near ? `Did you mean ${near}?` : `There are: ${names.join(", ") || "none"}.`}`;
}

function done(output: string): ToolResult {
  return { outcome: "done", output };
}

function failed(output: string): ToolResult {
  return { outcome: "failed", output };
}
