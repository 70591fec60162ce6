// All skills there are at this moment: the workspace's own first, then what comes with Steward. They are looked for anew each
// time, so that a new or changed one counts from the next turn on.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { versionAt } from "../own-file.ts";
import { type FoundFile, findSkills, type SkillRoot } from "./find-skills.ts";
import { type ReadSkill, readSkill } from "./read-skill.ts";
import type { Skill, SkillProblem } from "./skill.ts";

/** `replacesBundled`: there is a bundled one of the same name, which is not used. */
export type ListedSkill = Skill & { replacesBundled: boolean };
export type ListedSkills = { skills: readonly ListedSkill[]; problems: readonly SkillProblem[] };
export type Skills = { list(): Promise<ListedSkills> };

const bundledFolder = fileURLToPath(new URL("../../../skills", import.meta.url));

export function openSkills(deps: { workspace: string; bundled?: string }): Skills {
  const { workspace, bundled = bundledFolder } = deps;
  const claude = { path: join(workspace, ".claude"), shown: ".claude" };
  // in the order in which they win
  const roots: readonly SkillRoot[] = [
    { source: "workspace", path: join(workspace, "skills"), shown: "skills" },
    { source: "claude", path: join(claude.path, "skills"), shown: ".claude/skills", parent: claude },
    { source: "bundled", path: bundled, shown: "bundled" },
  ];
  let cache = new Map<string, { version: string; read: ReadSkill }>();
  // what comes with the program stays as it is while the program runs
  let comesAlong: readonly FoundFile[] | undefined;
  return {
    async list() {
      const used: typeof cache = new Map();
      const skills = new Map<string, ListedSkill>();
      const problems: SkillProblem[] = [];
      for (const root of roots) {
        for (const file of filesIn(root, problems)) {
          const version = root.source === "bundled" ? "" : (versionAt(file.path) ?? "");
          const cached = cache.get(file.path);
          const read = cached?.version === version ? cached.read : await readSkill(file);
          used.set(file.path, { version, read });
          problems.push(...read.problems, ...(read.skill ? add(skills, read.skill) : []));
        }
      }
      cache = used;
      return { skills: [...skills.values()], problems };
    },
  };

  function filesIn(root: SkillRoot, problems: SkillProblem[]): readonly FoundFile[] {
    if (root.source === "bundled") {
      comesAlong ??= findSkills(root).files;
      return comesAlong;
    }
    const found = findSkills(root);
    problems.push(...found.problems);
    return found.files;
  }
}

/** The first of a name stays. */
function add(skills: Map<string, ListedSkill>, skill: Skill): readonly SkillProblem[] {
  const before = skills.get(skill.name);
  if (!before) skills.set(skill.name, { ...skill, replacesBundled: false });
  else if (skill.source === "bundled") skills.set(skill.name, { ...before, replacesBundled: true });
  else {
    const message = `there is a skill ${skill.name} already, in ${before.file}`;
    return [{ severity: "error", file: skill.file, message, next: "Rename or remove one of them." }];
  }
  return [];
}
