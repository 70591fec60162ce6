import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import { openSkills } from "./open-skills.ts";

const head = (name: string, description = `Does ${name}.`) => `---\nname: ${name}\ndescription: ${description}\n---\n`;

async function scene(files: Record<string, string | Uint8Array> = {}) {
  const folder = await temporaryFolder();
  const workspace = join(folder, "workspace");
  const bundled = join(folder, "bundled");
  const put = async (file: string, text: string | Uint8Array) => {
    const path = file.startsWith("bundled/") ? join(folder, file) : join(workspace, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  for (const [file, text] of Object.entries(files)) await put(file, text);
  const { list } = openSkills({ workspace, bundled });
  const names = async () => (await list()).skills.map((skill) => skill.name);
  return { folder, workspace, put, list, names };
}

test("skills are found in folders of any depth, in .claude/skills, and among the bundled ones", async () => {
  const { list } = await scene({
    "skills/home/garden/water-plants/SKILL.md": `${head("water-plants")}Water them.`,
    ".claude/skills/review/SKILL.md": `${head("review")}Review.`,
    "bundled/browser/SKILL.md": `${head("browser")}Browse.`,
  });
  const { skills, problems } = await list();
  expect(problems).toEqual([]);
  expect(skills.map(({ name, source, file }) => [name, source, file])).toEqual([
    ["water-plants", "workspace", "skills/home/garden/water-plants/SKILL.md"],
    ["review", "claude", ".claude/skills/review/SKILL.md"],
    ["browser", "bundled", "bundled/browser/SKILL.md"],
  ]);
});

test("a skill of the workspace takes the place of a bundled one of the same name", async () => {
  const { list } = await scene({
    "skills/browser/SKILL.md": `${head("browser", "Mine.")}My way.`,
    "bundled/browser/SKILL.md": `${head("browser", "Yours.")}Your way.`,
  });
  expect(await list()).toMatchObject({
    skills: [{ name: "browser", description: "Mine.", source: "workspace", replacesBundled: true }],
    problems: [],
  });
});

test("a broken skill does not take the place of a bundled one", async () => {
  const { list } = await scene({
    "skills/browser/SKILL.md": "no head",
    "bundled/browser/SKILL.md": `${head("browser")}x`,
  });
  expect(await list()).toMatchObject({
    skills: [{ source: "bundled" }],
    problems: [{ file: "skills/browser/SKILL.md" }],
  });
});

test("a new, a changed and a removed skill count at once", async () => {
  const { workspace, put, list, names } = await scene();
  expect(await names()).toEqual([]);
  await put("skills/a/SKILL.md", `${head("a")}x`);
  expect(await names()).toEqual(["a"]);
  await put("skills/a/SKILL.md", `${head("a", "Another.")}x`);
  expect((await list()).skills[0]?.description).toBe("Another.");
  await rm(join(workspace, "skills", "a"), { recursive: true });
  expect(await names()).toEqual([]);
});

test.each<[string, string | Uint8Array, number | undefined, string]>([
  ["it has no head", "just text", 1, "it does not begin with a line ---"],
  ["its head has no end", "---\nname: bad\n", 3, "the line --- that ends its head is missing"],
  [
    "its YAML is wrong",
    "---\nname: bad\ndescription: 'x\n---\nx",
    3,
    "line 3 does not close the quotes of description, or goes on after them",
  ],
  ["it has no name", "---\ndescription: x\n---\nx", 1, "name is missing"],
  ["its name is no text", "---\nname: [bad]\ndescription: x\n---\nx", 2, "name is missing"],
  ["it has no description", "---\nname: bad\n---\nx", 1, "description is missing"],
  ["its name is another than its folder's", `${head("good")}x`, 2, "it is named good, and its folder is not"],
  ["its name has capitals", `${head("Bad")}x`, 2, "its name is not a valid one"],
  ["its name is too long", `${head("b".repeat(65))}x`, 2, "its name is not a valid one"],
  [
    "its description is too long",
    `${head("bad", "x".repeat(1025))}x`,
    3,
    "its description has 1025 characters; 1024 are allowed",
  ],
  ["it is huge", `${head("bad")}${"x".repeat(70_000)}`, undefined, "it is larger than 65536 bytes"],
  ["it is binary", new Uint8Array([0x2d, 0x2d, 0x2d, 0, 1, 2]), undefined, "it is not text in UTF-8"],
  ["it is in another encoding", new Uint8Array([0x2d, 0xff, 0xfe]), undefined, "it is not text in UTF-8"],
])("a skill is left out and the reason told when %s", async (_what, text, line, message) => {
  const { list } = await scene({ "skills/bad/SKILL.md": text, "skills/fine/SKILL.md": `${head("fine")}x` });
  const { skills, problems } = await list();
  expect(skills.map(({ name }) => name)).toEqual(["fine"]);
  const next = expect.stringMatching(/\.$|name: bad$/);
  expect(problems).toEqual([
    { severity: "error", file: "skills/bad/SKILL.md", message, next, ...(line !== undefined && { line }) },
  ]);
});

test("of two skills of one name the first stays and the other is told", async () => {
  const { list } = await scene({
    "skills/a/same/SKILL.md": `${head("same")}x`,
    "skills/b/same/SKILL.md": `${head("same")}y`,
    ".claude/skills/same/SKILL.md": `${head("same")}z`,
  });
  const { skills, problems } = await list();
  expect(skills.map(({ file }) => file)).toEqual(["skills/a/same/SKILL.md"]);
  const message = "there is a skill same already, in skills/a/same/SKILL.md";
  expect(problems).toMatchObject([
    { file: "skills/b/same/SKILL.md", message },
    { file: ".claude/skills/same/SKILL.md", message },
  ]);
});

test("files that are nearly skills are told with where they belong", async () => {
  const { list } = await scene({
    "skills/notes.md": "x",
    "skills/README.md": "x",
    "skills/SKILL.md": "x",
    "skills/low/skill.md": "x",
  });
  expect((await list()).problems.map(({ file, next }) => [file, next])).toEqual([
    ["skills/SKILL.md", "Move it to skills/<name>/SKILL.md if it is a skill."],
    ["skills/low/skill.md", "Write its name in capitals."],
    ["skills/notes.md", "Move it to skills/notes/SKILL.md if it is a skill."],
  ]);
});

test.each([
  ["the file", "skills/spy/SKILL.md", "outside/SKILL.md"],
  ["the folder", "skills/spy", "outside"],
  ["the folder of skills", "skills", "."],
  ["the folder .claude", ".claude", "outclaude"],
])("a link in the place of %s is told and not followed", async (_what, link, target) => {
  const { folder, workspace, list } = await scene({ "bundled/x/SKILL.md": `${head("x")}x` });
  for (const name of ["outside", "outclaude/skills/spy"]) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, "SKILL.md"), `${head("spy")}x`);
  }
  await mkdir(dirname(join(workspace, link)), { recursive: true });
  await symlink(join(folder, target), join(workspace, link));
  const { skills, problems } = await list();
  expect(skills.map(({ name }) => name)).toEqual(["x"]);
  expect(problems).toMatchObject([{ file: link, message: "it is a link, and links are not followed" }]);
});

test("what is only unusual is a warning, and the skill is used", async () => {
  const text =
    "---\nname: odd\ndescription: When: always\nlicence: MIT\nmetadata:\n  author: me\nallowed-tools: Read\n---\n";
  const { skills, problems } = await (await scene({ "skills/odd/SKILL.md": text })).list();
  expect(skills).toHaveLength(1);
  expect(problems.map(({ severity, line, next }) => [severity, line, next])).toEqual([
    ["warning", 4, "Did you mean license?"],
    ["warning", 3, "Put the value in quotes."],
    ["warning", undefined, "Write below its head what is to be done."],
  ]);
});

test("a folder with thousands of folders is read up to a limit, and that is told", async () => {
  const { workspace, list } = await scene();
  await Promise.all(
    Array.from({ length: 1_100 }, (_, at) => mkdir(join(workspace, "skills", `f${at}`), { recursive: true })),
  );
  expect((await list()).problems).toMatchObject([{ file: "skills", next: "Move some away." }]);
});

test("the bundled skills are valid, short and without a path of their own", async () => {
  const { skills, problems } = await openSkills({ workspace: await temporaryFolder() }).list();
  expect(problems).toEqual([]);
  expect(skills.map(({ name }) => name)).toEqual([
    "browser",
    "create-skill",
    "research-report",
    "tidy-folder",
    "weekly-review",
  ]);
});
