// The list of skills in every prompt: names and when to use them, never their instructions.
import type { PromptPart } from "../../contract/room/room.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import type { Skill } from "./skill.ts";

export const skillToolName = "skill";

/** About 1,500 tokens, however many skills there are. */
const maxListCharacters = 6_000;
/** Tried from the left until the list fits. */
const descriptionLengths = [1024, 500, 250, 120, 60, 0] as const;

const heading = `# Skills
Your owner's instructions for certain kinds of work. When a request matches one, read it with ${skillToolName} before you begin, and follow it as you follow the workspace files.`;

export function skillsPrompt(skills: readonly Skill[]): readonly PromptPart[] {
  if (skills.length === 0) return [];
  return [{ text: `${heading}\n<skills>\n${listWithinBudget(skills)}\n</skills>`, stable: true, tool: skillToolName }];
}

function listWithinBudget(skills: readonly Skill[]): string {
  let list = "";
  for (const length of descriptionLengths) {
    list = skills.map((skill) => skillBlock(skill, length)).join("\n");
    if (list.length <= maxListCharacters) return list;
  }
  const lines = list.slice(0, maxListCharacters).split("\n").slice(0, -1);
  return [...lines, `and ${skills.length - lines.length} more: ${skillToolName} without a name lists all`].join("\n");
}

/** A description cannot leave its block: it is one line and holds no sign that begins or ends one. */
export function skillBlock({ name, description }: Skill, mostCharacters: number): string {
  if (mostCharacters === 0) return `<skill name="${name}"/>`;
  const text = visibleLine(description, mostCharacters).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<skill name="${name}">${text.replaceAll(">", "&gt;")}</skill>`;
}
