import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openScene, type Scene } from "../../../tests/scenes/workspace-scene.ts";
import { newTemporaryName } from "../paths/reserved-names.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.remove());

const find = async (args: Record<string, unknown>) => (await scene.call("find", args)).output.split("\n");

test("names are found at any depth, in order, hidden ones too", async () => {
  for (const path of ["b.md", "a/x.md", "a/b/.hidden.md", "a/b/c.txt"]) await scene.put(path, "");
  expect(await find({ pattern: "*.md" })).toEqual(["a/b/.hidden.md", "a/x.md", "b.md"]);
  expect(await find({ pattern: "!.*", kind: "file" })).toEqual(["a/b/c.txt", "a/x.md", "b.md"]);
});

test("only one kind is found when asked for, and folders end with a slash", async () => {
  await scene.put("a/b/c.txt", "");
  await symlink("a", join(scene.workspace, "way"));
  expect(await find({ pattern: "**" })).toEqual(["a/", "a/b/", "a/b/c.txt", "way"]);
  expect(await find({ pattern: "**", kind: "folder" })).toEqual(["a/", "a/b/"]);
  expect(await find({ pattern: "**", kind: "link" })).toEqual(["way"]);
  expect(await find({ pattern: "*", path: "a/" })).toEqual(["a/b/", "a/b/c.txt"]);
});

test("links are not followed", async () => {
  await writeFile(join(scene.outside, "secret.txt"), "");
  await symlink(scene.outside, join(scene.workspace, "way"));
  expect(await find({ pattern: "*.txt" })).toEqual(["Nothing found."]);
});

test(".git and node_modules are passed over unless they are named", async () => {
  for (const path of [".git/x.js", "node_modules/p/x.js", "src/x.js"]) await scene.put(path, "");
  expect(await find({ pattern: "x.js" })).toEqual(["src/x.js"]);
  expect(await find({ pattern: "node_modules/**/x.js" })).toEqual(["node_modules/p/x.js"]);
  expect(await find({ pattern: "x.js", path: "node_modules" })).toEqual(["node_modules/p/x.js"]);
  expect(await find({ pattern: "**/.git/*" })).toEqual([".git/x.js"]);
});

test("files with secrets and temporary files are never named", async () => {
  for (const path of [".env", "a/.ENV", `a/${newTemporaryName()}`, "a/.env.example"]) await scene.put(path, "");
  expect(await find({ pattern: "**", kind: "file" })).toEqual(["a/.env.example"]);
});

test("a thousand names are shown, the first in order, and the rest are counted", async () => {
  await mkdir(join(scene.workspace, "many"));
  const names = Array.from({ length: 2500 }, (_, index) => `f${String(index).padStart(5, "0")}`);
  await Promise.all(names.map((name) => writeFile(join(scene.workspace, "many", name), "")));
  const lines = await find({ pattern: "f*" });
  expect(lines.slice(0, 1000)).toEqual(names.slice(0, 1000).map((name) => `many/${name}`));
  expect(lines.slice(1000)).toEqual(["[1500 more are not shown: narrow the pattern.]"]);
});

test("a name that misleads is shown spelled out", async () => {
  await scene.put("a\u202e\n.txt", "");
  expect(await find({ pattern: "*.txt" })).toEqual(['"a\\u{202e}\\n.txt"']);
});

test.each([
  [{ pattern: "*", path: "a.txt" }, "a.txt is a file"],
  [{ pattern: "*", path: "b.txt" }, 'does not exist. Did you mean "a.txt"?'],
  [{ pattern: "" }, "is empty"],
])("%j is refused with a reason", async (args, reason) => {
  await scene.put("a.txt", "");
  expect(await scene.call("find", args)).toMatchObject({ outcome: "failed", output: expect.stringContaining(reason) });
});

test("a stopped search says so", async () => {
  expect(await scene.call("find", { pattern: "*" }, AbortSignal.abort())).toEqual({
    outcome: "failed",
    output: "The search was stopped.",
  });
});
