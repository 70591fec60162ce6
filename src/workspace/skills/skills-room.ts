import type { CheckContext, Finding, RoomDefinition } from "../../contract/room/room.ts";
import type { RoomBase } from "../../contract/room/room-base.ts";
import { skillsCommand } from "./skills-command.ts";

export type SkillsBase = Pick<RoomBase, "workspace" | "trouble">;

/** What the owner has written down about how kinds of work are done; the model reads it when it is needed. */
export const skillsRoom: RoomDefinition<SkillsBase> = {
  name: "skills",
  commands: [skillsCommand],
  checks: checkSkills,
  async open({ workspace, trouble }) {
    const { openSkills } = await import("./open-skills.ts");
    const { skillsPrompt } = await import("./skills-prompt.ts");
    const { skillTool } = await import("./skill-tool.ts");
    const { problemWords } = await import("./skill.ts");
    const { skillMethods } = await import("../../contract/wire/methods/skills.ts");
    const { serveMethods } = await import("../../contract/room/room-methods.ts");
    const skills = openSkills({ workspace });
    const tools = [skillTool(skills)];
    const told = new Set<string>();
    return {
      tools: async () => tools,
      methods: serveMethods(skillMethods, {
        async "skills.list"() {
          const listed = await skills.list();
          // where it lies on the disk is nobody's business but the owner's
          return { skills: listed.skills.map(({ path: _, ...skill }) => skill), problems: [...listed.problems] };
        },
      }),
      async promptParts() {
        const listed = await skills.list();
        for (const problem of listed.problems) tellOnce(problem.severity === "error" ? problemWords(problem) : "");
        return skillsPrompt(listed.skills);
      },
    };

    function tellOnce(words: string): void {
      if (words === "" || told.has(words)) return;
      told.add(words);
      trouble(words, undefined);
    }
  },
};

async function checkSkills(context: CheckContext): Promise<readonly Finding[]> {
  const { findWorkspace } = await import("../find-workspace.ts");
  const { openSkills } = await import("./open-skills.ts");
  const { skills, problems } = await openSkills({ workspace: findWorkspace(context) }).list();
  const left = problems.filter(({ severity }) => severity === "error").length;
  if (left === 0) return [{ ok: true, name: "skills", detail: `${skills.length} can be used` }];
  const detail = `${skills.length} can be used, ${left} left out`;
  return [{ ok: false, name: "skills", detail, next: "What is wrong with them: steward skills check" }];
}
