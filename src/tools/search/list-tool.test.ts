import { execFile } from "node:child_process";
import { mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openScene, type Scene } from "../../../tests/scenes/workspace-scene.ts";

const run = promisify(execFile);
let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.remove());

const linesOf = async (args: unknown) => (await scene.call("list", args)).output.split("\n");
const namesOf = async (args: unknown) => (await linesOf(args)).map((line) => line.split("\t").at(-1));

test("entries come with type, size and date, folders first", async () => {
  const file = await scene.put("b.txt", "12345");
  await scene.put("src/x.ts", "x");
  await scene.put(".hidden", "");
  await symlink("/etc/passwd", join(scene.workspace, "z-link"));
  await run("mkfifo", [join(scene.workspace, "pipe")]);
  await utimes(file, new Date(0), new Date("2026-03-04T05:06:07Z"));
  const lines = await linesOf({});
  expect(lines[2]).toBe("file\t5\t2026-03-04 05:06\tb.txt");
  expect(lines.map((line) => line.split("\t").toSpliced(2, 1).join(" "))).toEqual([
    "folder - src/",
    "file 0 .hidden",
    "file 5 b.txt",
    "special - pipe",
    "link - z-link -> /etc/passwd",
  ]);
});

test("depth opens folders below, top level first", async () => {
  await scene.put("a/b/c/deep.txt", "x");
  await scene.put("a/one.txt", "x");
  await scene.put("top.txt", "x");
  expect(await namesOf({ path: ".", depth: 2 })).toEqual(["a/", "top.txt", "a/b/", "a/one.txt"]);
  expect(await namesOf({ path: "a/", depth: 5 })).toEqual(["b/", "one.txt", "b/c/", "b/c/deep.txt"]);
});

test.each([0, 6, 1.5])("a depth of %d is refused by the schema", (depth) => {
  expect(() => scene.bind("list", { depth })).toThrow(/depth/);
});

test("links are not followed downwards", async () => {
  await writeFile(join(scene.outside, "secret.txt"), "x");
  await symlink(scene.outside, join(scene.workspace, "way"));
  expect((await scene.call("list", { depth: 5 })).output).not.toContain("secret.txt");
});

test("at most 1,000 entries are shown, with the number of the rest", async () => {
  await Promise.all(Array.from({ length: 1234 }, (_, index) => scene.put(`many/${index}.txt`, "")));
  const lines = await linesOf({ path: "many" });
  expect(lines).toHaveLength(1001);
  expect(lines.at(-1)).toBe("[234 further entries are not shown: list a folder below.]");
});

test("a large folder further down does not crowd out the top level", async () => {
  await Promise.all(Array.from({ length: 1001 }, (_, index) => scene.put(`many/${index}.txt`, "")));
  await scene.put("zebra.txt", "");
  expect((await namesOf({ depth: 2 })).slice(0, 2)).toEqual(["many/", "zebra.txt"]);
});

test("names and link targets cannot forge lines or reverse the text around them", async () => {
  await scene.put("a\nfile\t9\t2026-01-01 00:00\tfake.txt", "");
  await symlink("x\u202ey\n", join(scene.workspace, "link"));
  const lines = await linesOf({});
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('"a\\nfile\\t9\\t2026-01-01 00:00\\tfake.txt"');
  expect(lines[1]).toContain('link -> "x\\u{202e}y\\n"');
});

test("an empty folder, a file and a missing folder are told apart", async () => {
  await mkdir(join(scene.workspace, "empty"));
  await scene.put("a.txt", "x");
  expect(await scene.call("list", { path: "empty" })).toMatchObject({ outcome: "done", output: '"empty" is empty.' });
  expect((await scene.call("list", { path: "a.txt" })).output).toContain('"a.txt" is a file, not a folder. Use read');
  expect((await scene.call("list", { path: "emtpy" })).output).toBe('"emtpy" does not exist. Did you mean "empty"?');
});
