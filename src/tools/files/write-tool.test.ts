import { chmod, chown, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cpuMsOf } from "../../../tests/scenes/cpu-time.ts";
import { openScene, type Scene } from "../../../tests/scenes/workspace-scene.ts";
import { newTemporaryName } from "../paths/reserved-names.ts";
import { removeLeftovers } from "./remove-leftovers.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.remove());

test("a new file is created with the folders it needs", async () => {
  expect(await scene.call("write", { path: "a/b/c.txt", content: "one\ntwo" })).toMatchObject({
    outcome: "done",
    output: 'Created "a/b/c.txt": 7 bytes, 2 lines.',
    wrote: [{ path: "a/b/c.txt", replaced: true }],
  });
  expect(await readFile(join(scene.workspace, "a/b/c.txt"), "utf8")).toBe("one\ntwo");
});

test("an existing file is replaced, and doing it twice is doing it once", async () => {
  await scene.put("a.txt", "old\n");
  const args = { path: "a.txt", content: "größer\n" };
  expect((await scene.call("write", args)).output).toBe('Replaced "a.txt": 9 bytes, 1 line (before: 4 bytes).');
  await scene.call("write", args);
  expect(await readFile(join(scene.workspace, "a.txt"), "utf8")).toBe("größer\n");
  expect(await readdir(scene.workspace)).toEqual(["a.txt"]);
});

test("the permissions of a replaced file stay, and a new one is not executable", async () => {
  const script = await scene.put("run.sh", "old");
  await chmod(script, 0o750);
  await scene.call("write", { path: "run.sh", content: "new" });
  await scene.call("write", { path: "new.txt", content: "new" });
  expect((await stat(script)).mode & 0o777).toBe(0o750);
  expect((await stat(join(scene.workspace, "new.txt"))).mode & 0o777).toBe(0o644 & ~process.umask());
});

test("a file that is marked read-only stays as it is", async () => {
  const path = await scene.put("fixed.txt", "old");
  await chmod(path, 0o444);
  const result = await scene.call("write", { path: "fixed.txt", content: "new" });
  expect(result).toMatchObject({ outcome: "failed", output: expect.stringContaining("it is marked read-only") });
  expect(await readFile(path, "utf8")).toBe("old");
});

test("a replaced file keeps its owner where the system allows it", async () => {
  const path = await scene.put("theirs.txt", "old");
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(path, 1234, 1234);
  const { uid, gid } = await stat(path);
  await scene.call("write", { path: "theirs.txt", content: "new" });
  expect(await stat(path)).toMatchObject({ uid, gid });
});

test("content above 10 MB is refused and changes nothing", async () => {
  await scene.put("a.txt", "old");
  const result = await scene.call("write", { path: "a.txt", content: "é".repeat(5 * 1024 * 1024 + 1) });
  expect(result).toMatchObject({ outcome: "failed", output: expect.stringContaining("at most 10485760 are taken") });
  expect(await readFile(join(scene.workspace, "a.txt"), "utf8")).toBe("old");
});

test("a stopped call leaves the old file and no temporary file", async () => {
  await scene.put("a.txt", "old");
  const result = await scene.call("write", { path: "a.txt", content: "new" }, AbortSignal.abort());
  expect(result).toEqual({ outcome: "failed", output: '"a.txt" was not written: the call was stopped.' });
  expect(await readdir(scene.workspace)).toEqual(["a.txt"]);
  expect(await readFile(join(scene.workspace, "a.txt"), "utf8")).toBe("old");
});

test("a person approves the whole content under a name that hides nothing", () => {
  const text = scene.bind("write", { path: "a\u202e.sh", content: "echo 1\nrm\n" }).approvalText;
  expect(text).toBe('Write "a\\u{202e}.sh", 10 bytes, 2 lines:\necho 1\nrm\n');
});

test("a person is shown what would be lost when a file is replaced", async () => {
  const lines = ["milk", "bread", "eggs"];
  await scene.put("list.txt", `${lines.join("\n")}\n`);
  const preview = await scene.bind("write", { path: "list.txt", content: "bread\n" }).preview(scene);
  expect(preview).toBe(
    "Replace list.txt: 2 lines go, 0 lines come (16 bytes before, 6 bytes afterwards)\n- milk\n  bread\n- eggs",
  );
  expect(await scene.bind("write", { path: "new.txt", content: "x" }).preview(scene)).toBeUndefined();
  await scene.put("picture.png", new Uint8Array([0x89, 0x50, 0xff, 0x00]));
  expect(await scene.bind("write", { path: "picture.png", content: "x" }).preview(scene)).toMatch(
    /^Replace picture.png, of which no lines can be shown \(4 bytes before, 1 byte afterwards\)\. Afterwards it holds:\nx$/,
  );
});

test("a change that no line shows is told, and a very long file does not keep everybody waiting", async () => {
  await scene.put("a.txt", "one\r\ntwo\r\n");
  const ends = await scene.bind("write", { path: "a.txt", content: "one\ntwo\n" }).preview(scene);
  expect(ends).toMatch(/^Replace a\.txt: no line changes, only what stands behind the lines/);
  await scene.put("list.csv", "1\n".repeat(300_000));
  const spent = await cpuMsOf(() => scene.bind("write", { path: "list.csv", content: "2\n" }).preview(scene));
  expect(spent).toBeLessThan(500);
  expect(await scene.bind("write", { path: "list.csv", content: "2\n" }).preview(scene)).toMatch(
    /no lines can be shown/,
  );
});

test("a new content with masks in the place of the words that were there is refused", async () => {
  const path = await scene.put("notes.md", "The wifi password is hunter2-and-more\n");
  const result = await scene.call("write", {
    path: "notes.md",
    content: "The wifi password is [redacted:password]\nmore\n",
  });
  expect(result).toMatchObject({ outcome: "failed", output: expect.stringContaining("Use edit, which keeps them") });
  expect(await readFile(path, "utf8")).toBe("The wifi password is hunter2-and-more\n");
});

test("someone who reads while it is replaced sees the old text or the new, never a part", async () => {
  const texts = ["a".repeat(300_000), "b".repeat(300_000)];
  const path = await scene.put("a.txt", texts[0] ?? "");
  let writing = true;
  const written = (async () => {
    for (let round = 0; round < 40; round++) await scene.call("write", { path: "a.txt", content: texts[round % 2] });
    writing = false;
  })();
  const seen = new Set<string>();
  while (writing) seen.add(await readFile(path, "utf8"));
  await written;
  expect([...seen].every((text) => texts.includes(text))).toBe(true);
});

test("temporary files of a killed process are hidden, and removed after an hour", async () => {
  const [fresh, old] = [newTemporaryName(), newTemporaryName()];
  await scene.put(`deep/${fresh}`, "x");
  const oldPath = await scene.put(`deep/${old}`, "x");
  const likeOne = await scene.put("deep/.steward-notes.tmp", "x");
  const nowMs = Date.now();
  for (const path of [oldPath, likeOne]) await utimes(path, new Date(0), new Date(nowMs - 3_600_001));
  expect((await scene.call("list", { path: "deep" })).output.split("\n")).toEqual([
    expect.stringContaining(".steward-notes.tmp"),
  ]);
  expect(await removeLeftovers({ nowMs: () => nowMs }, scene.workspace)).toBe(1);
  expect((await readdir(join(scene.workspace, "deep"))).sort()).toEqual([".steward-notes.tmp", fresh].sort());
});

test("cleaning up does not follow links out of the workspace", async () => {
  const target = join(scene.outside, newTemporaryName());
  await writeFile(target, "x");
  await utimes(target, new Date(0), new Date(0));
  await symlink(scene.outside, join(scene.workspace, "way"));
  expect(await removeLeftovers({ nowMs: Date.now }, scene.workspace)).toBe(0);
  expect(await readdir(scene.outside)).toHaveLength(1);
});
