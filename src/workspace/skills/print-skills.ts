import type { CommandConsole } from "../../contract/room/command.ts";
import { count } from "../../contract/words/amounts.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import type { ListedSkill, ListedSkills } from "./open-skills.ts";
import { problemWords } from "./skill.ts";

const usualColumns = 100;
const narrowest = 20;
const longestProblem = 1_000;

export function printSkills({ output }: CommandConsole, { skills, problems }: ListedSkills): void {
  const name = Math.max(0, ...skills.map((skill) => skill.name.length));
  const place = Math.max(0, ...skills.map((skill) => placeWords(skill).length));
  const rest = Math.max(narrowest, (output.columns ?? usualColumns) - name - place - 4);
  for (const skill of skills) {
    const cells = [skill.name.padEnd(name), placeWords(skill).padEnd(place), visibleLine(skill.description, rest)];
    output.write(`${cells.join("  ")}\n`);
  }
  if (skills.length === 0) output.write("There are no skills.\n");
  const left = problems.filter(({ severity }) => severity === "error").length;
  if (left > 0) output.write(`\n${left} left out; what is wrong: steward skills check\n`);
}

export function printProblems({ output }: CommandConsole, { skills, problems }: ListedSkills): void {
  for (const problem of problems) output.write(`${visibleLine(problemWords(problem), longestProblem)}\n`);
  const words = `${count(skills.length, "skill")} can be used`;
  output.write(problems.length === 0 ? `${words}, and nothing is wrong.\n` : `\n${words}.\n`);
}

function placeWords({ source, replacesBundled, file }: ListedSkill): string {
  if (source === "bundled") return "bundled";
  const folder = visibleLine(file.slice(0, -"/SKILL.md".length));
  return replacesBundled ? `${folder}, not the bundled one` : folder;
}
