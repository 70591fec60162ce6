import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listAgents } from "./list-agents.ts";

let path: string;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "steward-agents-"));
  await mkdir(join(path, "agents"));
});
afterEach(() => rm(path, { recursive: true, force: true }));

const put = (file: string, text: string) => writeFile(join(path, "agents", file), text);
const list = () => listAgents({ path, mainName: "Ada" });

test("the main agent is always there, also without an agents folder", async () => {
  await rm(join(path, "agents"), { recursive: true });
  expect(await list()).toEqual({
    agents: [{ id: "main", name: "Ada", description: "The assistant itself.", instructions: "" }],
    warnings: [],
  });
});

test("a markdown file with a head is an agent", async () => {
  await put(
    "cook.md",
    '---\nname: "Cook"\ndescription: Plans meals: cheap ones\nmodel: openai/gpt-5\ntools: read, write\n---\n\n# You cook\n---\nWell.\n',
  );
  const { agents, warnings } = await list();
  expect(agents[1]).toEqual({
    id: "cook",
    name: "Cook",
    description: "Plans meals: cheap ones",
    model: "openai/gpt-5",
    tools: ["read", "write"],
    instructions: "# You cook\n---\nWell.",
  });
  expect(warnings).toEqual([]);
});

test("name, model and tools may be left out, and a list in brackets is a list too", async () => {
  await put("a.md", "---\ndescription: A\n---\n");
  await put("b.md", "---\r\ndescription: B\r\ntools: [read, list]\r\n---\r\nBe b.\r\n");
  const { agents } = await list();
  expect(agents.slice(1)).toEqual([
    { id: "a", name: "a", description: "A", instructions: "" },
    { id: "b", name: "b", description: "B", tools: ["read", "list"], instructions: "Be b." },
  ]);
});

test.each([
  ["notes.md", "just text", "it does not begin with a line ---"],
  ["open.md", "---\ndescription: x", "the line --- that ends its head is missing"],
  ["nodesc.md", "---\nname: x\n---", "description is missing: say in a sentence what the agent is for"],
  ["badmodel.md", "---\ndescription: x\nmodel: gpt\n---", "model must be provider/model"],
  ["badtools.md", "---\ndescription: x\ntools: read; rm -rf\n---", "tools must be names with commas between them"],
  ["twice.md", "---\ndescription: x\ndescription: y\n---", "description stands there twice"],
  ["line.md", "---\ndescription: x\n- list\n---", "line 3 is not of the form key: value"],
  ["main.md", "---\ndescription: x\n---", "main is the assistant itself; its instructions are in AGENTS.md"],
  ["Big One.md", "---\ndescription: x\n---", "its name may hold small letters, digits and dashes only, 40 at most"],
  ["huge.md", `---\ndescription: x\n---\n${"x".repeat(80_000)}`, "it is larger than 80000 bytes"],
])("%s is left out with a warning, and the others stay", async (file, text, mistake) => {
  await put(file, text);
  await put("fine.md", "---\ndescription: fine\n---\n");
  const { agents, warnings } = await list();
  expect(agents.map((agent) => agent.id)).toEqual(["main", "fine"]);
  expect(warnings).toEqual([`agents/${file} is left out: ${mistake}`]);
});

test("an unknown key in the head is told with the likely one", async () => {
  await put("a.md", "---\ndescription: A\nmodle: openai/gpt-5\ncolour: blue\n---\n");
  const { agents, warnings } = await list();
  expect(agents).toHaveLength(2);
  expect(warnings).toEqual(["agents/a.md: modle is not used; did you mean model?", "agents/a.md: colour is not used"]);
});

test("links that lead elsewhere are not read", async () => {
  await writeFile(join(path, "outside.md"), "---\ndescription: x\n---\nsecret");
  await symlink("../outside.md", join(path, "agents", "spy.md"));
  const linkedFile = await list();
  await rm(join(path, "agents"), { recursive: true });
  await symlink(path, join(path, "agents"));
  const linkedFolder = await list();
  expect(linkedFile.agents).toHaveLength(1);
  expect(linkedFolder.agents).toHaveLength(1);
});
