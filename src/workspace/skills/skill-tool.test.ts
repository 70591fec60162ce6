import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import { openSkills } from "./open-skills.ts";
import { skillTool } from "./skill-tool.ts";

async function scene(files: Record<string, string>) {
  const folder = await temporaryFolder();
  const workspace = join(folder, "workspace");
  for (const [file, text] of Object.entries(files)) {
    const path = file.startsWith("bundled/") ? join(folder, file) : join(workspace, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const tool = skillTool(openSkills({ workspace, bundled: join(folder, "bundled") }));
  const context = {
    conversation: "c",
    turn: "t",
    callId: "1",
    asker: { kind: "owner", id: "owner" } as const,
    workspace,
    signal: new AbortController().signal,
    progress() {},
  };
  return async (args: { name?: string }) => {
    const bound = tool.bind(args);
    if (!bound.ok) throw new Error(bound.message);
    return bound.call.run(context);
  };
}
const files = {
  "skills/bake/SKILL.md": "---\nname: bake\ndescription: Bakes.\n---\nUse flour.",
  "skills/bake/recipes/bread.md": "bread",
  "skills/broken/SKILL.md": "---\nname: broken\n---\nx",
  "bundled/browser/SKILL.md": "---\nname: browser\ndescription: Browses.\n---\nOpen it.",
};

test("a skill of the workspace is read whole, with the files beside it named and its words followed", async () => {
  const run = await scene(files);
  expect(await run({ name: "bake" })).toEqual({
    outcome: "done",
    output: `${files["skills/bake/SKILL.md"]}\n\n[Further files of this skill, for read: skills/bake/recipes/bread.md]`,
    read: ["skills/bake/SKILL.md"],
    named: ["skills/bake/recipes/bread.md"],
  });
});

test("a bundled skill is read by its name, though it lies outside the workspace", async () => {
  const run = await scene(files);
  expect(await run({ name: "browser" })).toEqual({ outcome: "done", output: files["bundled/browser/SKILL.md"] });
});

test.each([
  ["brwoser", "There is no skill of that name. Did you mean browser?"],
  ["../../../etc/passwd", "There is no skill of that name. There are: bake, browser."],
  [
    "broken",
    "skills/broken/SKILL.md:1 is left out: description is missing. Say in a sentence what it is for and when to use it.",
  ],
])("the name %s is answered with what to do", async (name, output) => {
  const run = await scene(files);
  expect(await run({ name })).toEqual({ outcome: "failed", output });
});

test("without a name all are listed, and what is wrong with any", async () => {
  const { output } = await (await scene(files))({});
  expect(output.split("\n")).toEqual([
    '<skill name="bake">Bakes.</skill> skills/bake/SKILL.md',
    '<skill name="browser">Browses.</skill> bundled/browser/SKILL.md',
    expect.stringContaining("skills/broken/SKILL.md:1 is left out: description is missing."),
  ]);
});
