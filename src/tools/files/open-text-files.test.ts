import { link, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openScene, type Scene } from "../../../tests/scenes/workspace-scene.ts";
import { openPathLocks } from "../paths/path-locks.ts";
import { openTextFiles } from "./open-text-files.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.remove());

const filesOf = (whyKeep: () => string | undefined = () => undefined) =>
  openTextFiles({ locks: openPathLocks(), checkpoints: scene.checkpoints, whyKeep, redact: (text) => text });
const change = (path: string, make: (before: string) => string) => filesOf().change(scene.context(), path, make);
const textOf = (path: string) => readFile(join(scene.workspace, path), "utf8");

test("a file is made with the folders it lies in, and goes with an undo", async () => {
  const changed = await change("memory/new.md", (before) => `${before}- one\n`);
  expect([changed.kind, await textOf("memory/new.md")]).toEqual(["changed", "- one\n"]);
  await scene.undo(changed.kind === "changed" ? changed.changes : []);
  await expect(textOf("memory/new.md")).rejects.toThrow("ENOENT");
});

test("a change is undone to the very bytes that were there", async () => {
  await scene.put("MEMORY.md", "\ufeffone\r\ntwo\r\n");
  const changed = await change("MEMORY.md", (before) => `${before}three\n`);
  expect(await textOf("MEMORY.md")).toBe("\ufeffone\r\ntwo\r\nthree\r\n");
  await scene.undo(changed.kind === "changed" ? changed.changes : []);
  expect(await textOf("MEMORY.md")).toBe("\ufeffone\r\ntwo\r\n");
});

test("changes side by side are made one after the other", async () => {
  const files = filesOf();
  const add = (line: string) => files.change(scene.context(), "a.md", (before) => `${before}${line}\n`);
  await Promise.all(["1", "2", "3", "4"].map(add));
  expect((await textOf("a.md")).split("\n").toSorted()).toEqual(["", "1", "2", "3", "4"]);
});

test("a text that stays as it was is not written", async () => {
  await scene.put("a.md", "one\n");
  expect(await change("a.md", (before) => before)).toEqual({ kind: "as it was" });
});

test("nothing outside is read or changed, by whatever name", async () => {
  await writeFile(join(scene.outside, "secret.md"), "secret\n");
  await symlink(join(scene.outside, "secret.md"), join(scene.workspace, "link.md"));
  await symlink(scene.outside, join(scene.workspace, "way"));
  await link(join(scene.outside, "secret.md"), join(scene.workspace, "twin.md"));
  for (const path of ["link.md", "way/secret.md", "twin.md", "../outside/secret.md", join(scene.outside, "secret.md")])
    expect([path, (await change(path, () => "gone\n")).kind]).toEqual([path, "refused"]);
  expect(await readFile(join(scene.outside, "secret.md"), "utf8")).toBe("secret\n");
  expect(await filesOf().read(scene.context(), "link.md")).toBeUndefined();
});

test("what is no text, and what must stay right now, is left alone", async () => {
  await scene.put("a.bin", new Uint8Array([0xff, 0xfe, 0x00]));
  await scene.put("a.md", "one\n");
  expect((await change("a.bin", () => "text")).kind).toBe("refused");
  const held = await filesOf(() => "a command uses it.").change(scene.context(), "a.md", () => "two\n");
  expect(held).toEqual({ kind: "refused", why: '"a.md" was not changed: a command uses it.' });
  expect(await textOf("a.md")).toBe("one\n");
});
