import { execFile } from "node:child_process";
import {
  access,
  link,
  mkdir,
  readdir,
  readFile,
  readlink,
  symlink,
  truncate,
  unlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openScene, type Scene } from "../../../tests/scenes/workspace-scene.ts";
import { FileChange } from "../../contract/file-change.ts";
import { sha256 } from "../paths/file-change.ts";
import { withNameInWorkspace } from "../paths/workspace-files.ts";
import { planDelete } from "./delete-plan.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.remove());

const names = (path = ".") => readdir(join(scene.workspace, path), { recursive: true });

test("a file is deleted, and its content is kept first", async () => {
  await scene.put("dir/a.txt", "old");
  expect(await scene.call("delete", { path: "dir/a.txt" })).toEqual({
    outcome: "done",
    output: 'Deleted "dir/a.txt".',
    changes: [{ path: "dir/a.txt", kind: "file", before: sha256("old"), after: null, mode: expect.any(Number) }],
  });
  expect(await names()).toEqual(["dir"]);
  expect(await readFile(join(scene.data, "checkpoints", sha256("old")), "utf8")).toBe("old");
});

test("a link goes, what it leads to stays", async () => {
  await writeFile(join(scene.outside, "secret.txt"), "secret");
  await mkdir(join(scene.outside, "folder"));
  await symlink(join(scene.outside, "secret.txt"), join(scene.workspace, "link"));
  await symlink(join(scene.outside, "folder"), join(scene.workspace, "way"));
  expect((await scene.call("delete", { path: "link" })).output).toBe('Deleted the link "link".');
  expect((await scene.call("delete", { path: "way", recursive: true })).output).toBe('Deleted the link "way".');
  expect(await names()).toEqual([]);
  expect((await readdir(scene.outside)).sort()).toEqual(["folder", "secret.txt"]);
});

test("an empty folder is deleted, a full one only when asked for", async () => {
  await scene.put("full/a/b.txt", "b");
  await scene.put("full/c.txt", "c");
  await mkdir(join(scene.workspace, "empty"));
  expect((await scene.call("delete", { path: "empty/" })).output).toBe('Deleted the folder "empty/".');
  expect(await scene.call("delete", { path: "full" })).toEqual({
    outcome: "failed",
    output: '"full" was not deleted: it is a folder with 2 names in it. Set recursive to delete them too.',
  });
  expect((await scene.call("delete", { path: "full", recursive: true })).output).toBe(
    'Deleted the folder "full" and the 3 names in it.',
  );
  expect(await names()).toEqual([]);
});

test("links in a deleted folder are not followed", async () => {
  await writeFile(join(scene.outside, "secret.txt"), "secret");
  await mkdir(join(scene.workspace, "folder"));
  await symlink(scene.outside, join(scene.workspace, "folder/way"));
  await link(join(scene.outside, "secret.txt"), join(scene.workspace, "folder/second"));
  expect((await scene.call("delete", { path: "folder", recursive: true })).outcome).toBe("done");
  expect(await readFile(join(scene.outside, "secret.txt"), "utf8")).toBe("secret");
});

test.each([
  [".", "The workspace itself cannot be deleted"],
  ["", "The path is empty"],
  ["../outside", "lies outside the workspace"],
  ["b.txt", 'does not exist. Did you mean "a.txt"?'],
  ["holds/.env", "holds secrets, and only the owner may remove it"],
  ["holds", '".env" in it holds secrets, and only the owner may remove it'],
])("deleting %j is refused with a reason", async (path, reason) => {
  await scene.put("a.txt", "a");
  await scene.put("holds/.env", "KEY=1");
  const result = await scene.call("delete", { path, recursive: true });
  expect(result).toMatchObject({ outcome: "failed", output: expect.stringContaining(reason) });
  expect((await names()).sort()).toEqual(["a.txt", "holds", "holds/.env"]);
});

test("a file above 50 MB is deleted, and the answer says that it cannot be brought back", async () => {
  const path = await scene.put("film.mkv", "");
  await truncate(path, 50 * 1024 * 1024 + 1);
  const result = await scene.call("delete", { path: "film.mkv" });
  expect(result).toMatchObject({
    outcome: "done",
    output: expect.stringContaining("Not all of it can be brought back: files above 50 MB"),
    changes: [{ path: "film.mkv", before: null, notKept: true }],
  });
  expect((await scene.undo(result.changes)).output).toBe('"film.mkv" cannot be put back: it was too large to keep.');
});

test("a pipe in a deleted folder goes with it, and the answer says that it is not kept", async () => {
  await scene.put("folder/a.txt", "a");
  await promisify(execFile)("mkfifo", [join(scene.workspace, "folder/pipe")]);
  const result = await scene.call("delete", { path: "folder", recursive: true });
  expect(result).toMatchObject({ outcome: "done", output: expect.stringContaining("pipes and sockets are not kept") });
  expect(await names()).toEqual([]);
});

test("when the content cannot be kept, nothing is deleted", async () => {
  await scene.put("a.txt", "a");
  await writeFile(scene.data, "in the way of the folder");
  const result = await scene.call("delete", { path: "a.txt" });
  expect(result).toMatchObject({
    outcome: "failed",
    output: expect.stringContaining("its content could not be kept for an undo"),
  });
  expect(await names()).toEqual(["a.txt"]);
});

test("what changes after it was kept, or comes in after, is not deleted", async () => {
  for (const name of ["a", "b", "c"]) await scene.put(`folder/${name}.txt`, name);
  const wish = { path: "folder", recursive: true, signal: new AbortController().signal };
  const problems = await withNameInWorkspace(scene, { path: "folder", access: "write" }, "refuse", async (held) => {
    const plan = await planDelete(scene.checkpoints, held, wish);
    if ("refused" in plan) return plan;
    await writeFile(join(scene.workspace, "folder/a.txt"), "changed by a command");
    await writeFile(join(scene.workspace, "folder/new.txt"), "new");
    return plan.remove();
  });
  expect(problems).toEqual(['"folder/a.txt" is still there: something else changed it.']);
  expect((await names("folder")).sort()).toEqual(["a.txt", "new.txt"]);
});

test("a stopped deletion deletes nothing", async () => {
  await scene.put("folder/a.txt", "a");
  for (const path of ["folder", "folder/a.txt"]) {
    expect(await scene.call("delete", { path, recursive: true }, AbortSignal.abort())).toEqual({
      outcome: "failed",
      output: `"${path}" was not deleted: the call was stopped.`,
    });
  }
  expect((await names()).sort()).toEqual(["folder", "folder/a.txt"]);
});

test("a person sees what would go", () => {
  expect(scene.bind("delete", { path: "a\u202eb" }).approvalText).toBe('Delete "a\\u{202e}b"');
  expect(scene.bind("delete", { path: "a", recursive: true }).approvalText).toBe(
    "Delete a, and everything in it if it is a folder",
  );
});

test("after a crash a deletion that was made is told from one that was not, and from anything else", async () => {
  const path = await scene.put("a.txt", "old");
  const call = scene.bind("delete", { path: "a.txt" });
  const claim: unknown = JSON.parse(JSON.stringify(await call.claim(scene.context())));
  expect(await call.recover(scene.context(), claim)).toEqual({ kind: "not started" });
  await writeFile(path, "something else");
  expect(await call.recover(scene.context(), claim)).toEqual({ kind: "unknown" });
  await unlink(path);
  expect(await call.recover(scene.context(), claim)).toEqual({
    kind: "finished",
    result: { outcome: "done", output: 'Deleted "a.txt".', changes: [claim] },
  });
});

test("after a crash in the middle of a folder, what is gone can be brought back", async () => {
  for (const name of ["a", "b", "c"]) await scene.put(`folder/${name}.txt`, name);
  const call = scene.bind("delete", { path: "folder", recursive: true });
  const claim = await call.claim(scene.context());
  expect(await call.recover(scene.context(), claim)).toEqual({ kind: "not started" });
  await unlink(join(scene.workspace, "folder/a.txt"));
  const recovery = await call.recover(scene.context(), claim);
  expect(recovery).toMatchObject({ kind: "finished", result: { outcome: "failed", changes: [claim] } });
  await scene.undo([FileChange.parse(claim)]);
  expect((await names("folder")).sort()).toEqual(["a.txt", "b.txt", "c.txt"]);
});

test("a deleted tree of links, folders and files comes back as it was", async () => {
  await scene.put("folder/deep/er/a.txt", "a\n");
  await scene.put("folder/binary", Buffer.from([0, 10, 255, 123]));
  await mkdir(join(scene.workspace, "folder/empty"), { mode: 0o711 });
  await symlink("../nowhere", join(scene.workspace, "folder/dangling"));
  const before = (await names("folder")).sort();
  const { changes } = await scene.call("delete", { path: "folder", recursive: true });
  await expect(access(join(scene.workspace, "folder"))).rejects.toThrow();
  expect((await scene.undo(changes)).output).toBe('"folder" is as it was before: 7 names were put back.');
  expect((await names("folder")).sort()).toEqual(before);
  expect(await readFile(join(scene.workspace, "folder/binary"))).toEqual(Buffer.from([0, 10, 255, 123]));
  expect(await readlink(join(scene.workspace, "folder/dangling"))).toBe("../nowhere");
});
