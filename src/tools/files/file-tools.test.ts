import { execFile } from "node:child_process";
import { link, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openScene, type Scene } from "../../../tests/scenes/workspace-scene.ts";

const run = promisify(execFile);
const edits = [{ oldText: "secret", newText: "changed" }];
const calls: [string, Record<string, unknown>][] = [
  ["read", {}],
  ["write", { content: "changed" }],
  ["edit", { edits }],
  ["delete", { recursive: true }],
  ["list", {}],
  ["find", { pattern: "**" }],
  ["grep", { pattern: "secret" }],
];
const fileCalls = calls.filter(([tool]) => ["read", "write", "edit"].includes(tool));
const names = ["read", "write", "edit", "list", "find", "grep", "delete", "read_output"];
const readers = ["read", "list", "find", "grep"];

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.remove());

// names that say it all
const plainNames = [
  "path",
  "edits",
  "newText",
  "ignoreCase",
  "mode",
  "handle",
  "content",
  "oldText",
  "depth",
  "kind",
  "glob",
  "context",
  "offset",
];

test("each tool costs the model at most 120 tokens", () => {
  const tokens = scene.tools.map(({ declaration }) => [declaration.name, JSON.stringify(declaration).length / 4]);
  expect(tokens.map(([name]) => name)).toEqual(names);
  expect(tokens.filter(([, count]) => Number(count) > 120)).toEqual([]);
});

test("every argument is described, or its name says it all", () => {
  const arguments_ = scene.tools.flatMap(({ declaration }) => argumentsOf(declaration.inputSchema));
  const silent = arguments_.filter(([, schema]) => schema.description === undefined).map(([name]) => name);
  expect(silent.filter((name) => !plainNames.includes(name))).toEqual([]);
  expect(arguments_.length).toBeGreaterThan(20);
});

test.each(calls)("%s tells the guard the path as the model wrote it", (tool, args) => {
  const access = readers.includes(tool) ? "read" : "write";
  expect(scene.bind(tool, { path: "a/../b", ...args }).paths).toEqual([{ path: "a/../b", access }]);
});

test.each(calls)("%s refuses a path outside the workspace", async (tool, args) => {
  const result = await scene.call(tool, { path: "../outside/secret.txt", ...args });
  expect(result).toMatchObject({ outcome: "failed", output: expect.stringContaining("lies outside the workspace") });
});

test.each(calls)("%s does not follow a link in the middle of a path", async (tool, args) => {
  await mkdir(join(scene.outside, "inner"));
  await symlink(scene.outside, join(scene.workspace, "way"));
  const result = await scene.call(tool, { path: "way/inner", ...args });
  expect(result).toMatchObject({ outcome: "failed", output: expect.stringContaining('"way" is a symbolic link') });
  expect(await readdir(scene.outside)).toEqual(["inner"]);
});

test.each(calls.filter(([tool]) => tool !== "delete"))(
  "%s does not follow a link at the end of a path",
  async (tool, args) => {
    const target = await scene.put("real.txt", "secret");
    await symlink(target, join(scene.workspace, "alias"));
    const result = await scene.call(tool, { path: "alias", ...args });
    expect(result).toMatchObject({ outcome: "failed", output: expect.stringContaining('"alias" is a symbolic link') });
    expect(await readFile(target, "utf8")).toBe("secret");
  },
);

test.each(fileCalls)("%s refuses a named pipe at once", async (tool, args) => {
  await run("mkfifo", [join(scene.workspace, "pipe")]);
  const result = await scene.call(tool, { path: "pipe", ...args });
  expect(result).toMatchObject({ outcome: "failed", output: expect.stringContaining("pipe, socket or device") });
});

test.each(fileCalls)("%s refuses a socket", async (tool, args) => {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(join(scene.workspace, "socket"), listening));
  const result = await scene.call(tool, { path: "socket", ...args });
  server.close();
  expect(result).toMatchObject({ outcome: "failed", output: expect.stringContaining("pipe, socket or device") });
});

test.each(fileCalls)("%s of a folder points to list", async (tool, args) => {
  await mkdir(join(scene.workspace, "src"));
  const expected = { outcome: "failed", output: '"src" is a folder. Use list to see what is in it.' };
  expect(await scene.call(tool, { path: "src", ...args })).toEqual(expected);
  expect(await scene.call(tool, { path: ".", ...args })).toMatchObject({ outcome: "failed" });
});

test.each([
  ["write", { content: "changed" }],
  ["edit", { edits }],
])("%s leaves a file with a second hard link alone", async (tool, args) => {
  const path = await scene.put("one.txt", "secret");
  await link(path, join(scene.outside, "two.txt"));
  const result = await scene.call(tool, { path: "one.txt", ...args });
  expect(result).toMatchObject({ outcome: "failed", output: expect.stringContaining("2 hard links") });
  expect(await readFile(join(scene.outside, "two.txt"), "utf8")).toBe("secret");
});

test.each(calls)("%s shows a misleading path spelled out", async (tool, args) => {
  const { output } = await scene.call(tool, { path: "x\u202e\n/y\u0007", ...args });
  expect(["\u202e", "\n", "\u0007"].filter((character) => output.includes(character))).toEqual([]);
});

test.each(calls)("%s leaves no descriptor open, whether it works or not", async (tool, args) => {
  await scene.put("a/b/c.txt", "secret");
  // a thread that waits for the next search has descriptors of its own
  await scene.call(tool, { path: "a/b", ...args });
  await scene.put("a/b/c.txt", "secret");
  const before = (await readdir("/dev/fd")).length;
  const paths = ["a/b/c.txt", "a/b", "a/b/none.txt", "a/none/c.txt", "a/b/c.txt/d"];
  for (let round = 0; round < 20; round++) {
    for (const path of paths) await scene.call(tool, { path, ...args });
  }
  expect((await readdir("/dev/fd")).length).toBeLessThanOrEqual(before + 2);
});

test.each(calls)("%s says in a sentence that a part of the path is a file", async (tool, args) => {
  await scene.put("a.txt", "text");
  const { output } = await scene.call(tool, { path: "a.txt/b", ...args });
  expect(output).toBe('"a.txt" is a file, not a folder. Use read for it, or choose another path.');
});

test.each(fileCalls)("%s says in a sentence that a name is too long", async (tool, args) => {
  const { output } = await scene.call(tool, { path: "n".repeat(300), ...args });
  expect(output).toContain("the name is too long. Choose a shorter one.");
});

type Schema = { description?: string; properties?: Record<string, Schema>; items?: Schema };

function argumentsOf(schema: Schema): readonly [string, Schema][] {
  const own = Object.entries(schema.properties ?? {});
  return [...own, ...own.flatMap(([, argument]) => argumentsOf(argument.items ?? {}))];
}
