// Everything that the file tools do can be taken back, as long as nobody else has changed it since.
import { chmod, mkdir, readdir, readFile, stat, symlink, truncate, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FileChange } from "../../../src/contract/file-change.ts";
import { sha256 } from "../../../src/tools/paths/file-change.ts";
import { openScene, type Scene } from "../../scenes/workspace-scene.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.remove());

const textOf = (path: string) => readFile(join(scene.workspace, path), "utf8");
const names = async () => (await readdir(scene.workspace, { recursive: true })).sort();
const edits = [{ oldText: "one", newText: "two" }];

test("the changes of a turn are taken back, last first", async () => {
  const path = await scene.put("a.txt", "one\n");
  await chmod(path, 0o640);
  const results = [
    await scene.call("edit", { path: "a.txt", edits }),
    await scene.call("write", { path: "a.txt", content: "three\n" }),
    await scene.call("delete", { path: "a.txt" }),
    await scene.call("write", { path: "a.txt", content: "four\n" }),
    await scene.call("write", { path: "new/deep/b.txt", content: "b" }),
  ];
  expect(results.map(({ outcome }) => outcome)).toEqual(Array(5).fill("done"));
  const { undone } = await scene.undo(results.flatMap(({ changes }) => changes ?? []));
  expect(undone.map(({ outcome }) => outcome)).toEqual(Array(7).fill("put back"));
  expect(await names()).toEqual(["a.txt"]);
  expect(await textOf("a.txt")).toBe("one\n");
  expect((await stat(path)).mode & 0o777).toBe(0o640);
});

test("changes survive being written down as JSON", async () => {
  await scene.put("a.txt", "one");
  const { changes } = await scene.call("edit", { path: "a.txt", edits });
  const read = FileChange.array().parse(JSON.parse(JSON.stringify(changes)));
  expect(read).toEqual([{ path: "a.txt", kind: "file", before: sha256("one"), after: sha256("two"), mode: 0o644 }]);
  await scene.undo(read);
  expect(await textOf("a.txt")).toBe("one");
});

test("undoing twice says that it has been done", async () => {
  await scene.put("a.txt", "one");
  const results = [
    await scene.call("edit", { path: "a.txt", edits }),
    await scene.call("write", { path: "x/y.txt", content: "y" }),
  ];
  const changes = results.flatMap((result) => result.changes ?? []);
  await scene.undo(changes);
  expect((await scene.undo(changes)).output).toBe("This has already been undone: everything is as it was before.");
  expect(await names()).toEqual(["a.txt"]);
});

test("an undo can itself be taken back", async () => {
  await scene.put("a.txt", "one");
  await scene.put("folder/b.txt", "b");
  const results = [
    await scene.call("edit", { path: "a.txt", edits }),
    await scene.call("delete", { path: "folder", recursive: true }),
    await scene.call("write", { path: "c/d.txt", content: "d" }),
  ];
  const undoing = await scene.undo(results.flatMap((result) => result.changes ?? []));
  expect(await names()).toEqual(["a.txt", "folder", "folder/b.txt"]);
  await scene.undo(undoing.changes);
  expect(await names()).toEqual(["a.txt", "c", "c/d.txt"]);
  expect([await textOf("a.txt"), await textOf("c/d.txt")]).toEqual(["two", "d"]);
});

test("a file that somebody has changed since is left alone, and the others are put back", async () => {
  await scene.put("a.txt", "one");
  await scene.put("b.txt", "one");
  const results = [
    await scene.call("edit", { path: "a.txt", edits }),
    await scene.call("edit", { path: "b.txt", edits }),
  ];
  await writeFile(join(scene.workspace, "b.txt"), "by hand");
  const { undone, output } = await scene.undo(results.flatMap(({ changes }) => changes ?? []));
  expect(undone.map(({ path, outcome }) => [path, outcome])).toEqual([
    ["b.txt", "conflict"],
    ["a.txt", "put back"],
  ]);
  expect(output).toBe('"b.txt" was left alone: something else has changed it since.\n"a.txt" is as it was before.');
  expect([await textOf("a.txt"), await textOf("b.txt")]).toEqual(["one", "by hand"]);
});

test.each([
  ["a link", (path: string) => symlink("/etc/passwd", path)],
  ["a folder", (path: string) => mkdir(path)],
  ["another file", (path: string) => writeFile(path, "by hand")],
])("where %s stands by now, a deleted file does not come back", async (_, put) => {
  const path = await scene.put("a.txt", "one");
  const { changes } = await scene.call("delete", { path: "a.txt" });
  await put(path);
  const before = await stat(path).catch(() => undefined);
  expect((await scene.undo(changes)).undone).toMatchObject([{ outcome: "conflict" }]);
  expect((await stat(path).catch(() => undefined))?.ino).toBe(before?.ino);
});

test("a folder that became a link is not followed", async () => {
  await scene.put("folder/a.txt", "one");
  const { changes } = await scene.call("edit", { path: "folder/a.txt", edits });
  await writeFile(join(scene.outside, "a.txt"), "two");
  await unlink(join(scene.workspace, "folder/a.txt"));
  await scene.call("delete", { path: "folder" });
  await symlink(scene.outside, join(scene.workspace, "folder"));
  expect((await scene.undo(changes)).undone).toMatchObject([{ outcome: "conflict" }]);
  expect(await readFile(join(scene.outside, "a.txt"), "utf8")).toBe("two");
});

test("a new file that was filled since, and a new folder that is used since, stay", async () => {
  const { changes } = await scene.call("write", { path: "folder/a.txt", content: "one" });
  await scene.put("folder/other.txt", "by hand");
  const { undone } = await scene.undo(changes);
  expect(undone.map(({ path, outcome }) => [path, outcome])).toEqual([
    ["folder/a.txt", "put back"],
    ["folder", "conflict"],
  ]);
  expect(await names()).toEqual(["folder", "folder/other.txt"]);
});

test("a deleted folder comes back around what stands in its place by now", async () => {
  for (const name of ["a", "b", "c"]) await scene.put(`folder/${name}.txt`, name);
  const { changes } = await scene.call("delete", { path: "folder", recursive: true });
  await scene.put("folder/a.txt", "by hand");
  await scene.put("folder/b.txt", "b");
  const { undone } = await scene.undo(changes);
  expect(undone).toMatchObject([
    { outcome: "conflict", message: expect.stringContaining('"folder/a.txt" was left alone') },
  ]);
  expect([await textOf("folder/a.txt"), await textOf("folder/b.txt"), await textOf("folder/c.txt")]).toEqual([
    "by hand",
    "b",
    "c",
  ]);
});

test("a file above 50 MB that was replaced cannot come back, and the answer said so", async () => {
  const path = await scene.put("large.bin", "");
  await truncate(path, 50 * 1024 * 1024 + 1);
  const result = await scene.call("write", { path: "large.bin", content: "small" });
  expect(result.output).toContain("This cannot be undone: what was there had more than 50 MB.");
  expect((await scene.undo(result.changes)).undone).toMatchObject([{ outcome: "lost" }]);
  expect(await textOf("large.bin")).toBe("small");
});

test("when the earlier content has been removed, the file stays as it is", async () => {
  await scene.put("a.txt", "one");
  const { changes } = await scene.call("edit", { path: "a.txt", edits });
  await scene.checkpoints.removeOld(Date.now() + 1000);
  expect((await scene.undo(changes)).output).toBe('"a.txt" cannot be put back: its earlier content is no longer kept.');
  expect(await textOf("a.txt")).toBe("two");
});

test("a stopped undo changes nothing more", async () => {
  await scene.put("a.txt", "one");
  const { changes } = await scene.call("edit", { path: "a.txt", edits });
  const { undone } = await scene.undo(changes, AbortSignal.abort());
  expect(undone).toMatchObject([{ outcome: "conflict", message: expect.stringContaining("the undo was stopped") }]);
  expect(await textOf("a.txt")).toBe("two");
});

test("after a crash a write that was made is told from one that was not, with what an undo needs", async () => {
  await scene.put("a.txt", "one");
  const call = scene.bind("write", { path: "a.txt", content: "two" });
  const claim: unknown = JSON.parse(JSON.stringify(await call.claim(scene.context())));
  expect(await call.recover(scene.context(), claim)).toEqual({ kind: "not started" });
  await call.run(scene.context());
  const recovery = await call.recover(scene.context(), claim);
  if (recovery.kind !== "finished") throw new Error(`the write is ${recovery.kind}`);
  expect(recovery.result.output).toBe('Wrote "a.txt": the file already has its new content.');
  await scene.undo(FileChange.array().parse((recovery.result as { changes?: unknown }).changes));
  expect(await textOf("a.txt")).toBe("one");
  await writeFile(join(scene.workspace, "a.txt"), "by hand");
  expect(await call.recover(scene.context(), claim)).toEqual({ kind: "unknown" });
});
