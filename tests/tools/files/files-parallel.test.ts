// Many calls at once, and a disk that is full: the old file is whole or the new one is, and nothing is left lying about.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sha256 } from "../../../src/tools/paths/file-change.ts";
import { canMount, type SmallDisk, smallDisk } from "../../scenes/small-disk.ts";
import { openScene, type Scene } from "../../scenes/workspace-scene.ts";

const many = Array.from({ length: 50 }, (_, index) => index);
const contentOf = (index: number) => `${index} `.repeat(20_000);

async function sceneOn(on: { workspace?: string; data?: string } = {}): Promise<Scene> {
  const scene = await openScene(on);
  onTestFinished(() => scene.remove());
  return scene;
}

async function textOf(scene: Scene, path: string): Promise<string | undefined> {
  try {
    return await readFile(join(scene.workspace, path), "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw cause;
  }
}

test("fifty writes, edits and deletions of one file at once leave one of their results, whole", async () => {
  const scene = await sceneOn();
  await scene.put("a.txt", contentOf(1000));
  let isWatching = true;
  const seen = new Set<string | undefined>();
  const watching = (async () => {
    while (isWatching) seen.add(await textOf(scene, "a.txt"));
  })();
  const results = await Promise.all(
    many.map((index) => {
      if (index % 3 === 0) return scene.call("delete", { path: "a.txt" });
      if (index % 3 === 1) return scene.call("write", { path: "./a.txt", content: contentOf(index) });
      return scene.call("edit", { path: "a.txt", edits: [{ oldText: " ", newText: "+", all: true }] });
    }),
  );
  isWatching = false;
  await watching;
  const whole = new Set([1000, ...many].flatMap((index) => [contentOf(index), contentOf(index).replaceAll(" ", "+")]));
  expect([...seen].filter((text) => text !== undefined && !whole.has(text))).toEqual([]);
  expect(results.filter(({ outcome }) => outcome === "done").length).toBeGreaterThan(17);
  const left = await readdir(scene.workspace);
  expect(left.filter((name) => name !== "a.txt")).toEqual([]);
});

test("what fifty calls at once did to one file is taken back to its very first content", async () => {
  const scene = await sceneOn();
  await scene.put("a.txt", "first");
  const results = await Promise.all(many.map((index) => scene.call("write", { path: "a.txt", content: `${index}` })));
  // in the order in which each found what the other had left
  const byBefore = new Map(results.flatMap(({ changes }) => changes ?? []).map((change) => [change.before, change]));
  const ordered = [];
  for (let next = byBefore.get(sha256("first")); next; next = byBefore.get(next.after)) ordered.push(next);
  expect(ordered).toHaveLength(50);
  await scene.undo(ordered);
  expect(await textOf(scene, "a.txt")).toBe("first");
});

test("fifty files are written, deleted and brought back at once, each on its own", async () => {
  const scene = await sceneOn();
  const path = (index: number) => `folder-${index % 5}/file-${index}.txt`;
  await Promise.all(many.map((index) => scene.call("write", { path: path(index), content: contentOf(index) })));
  const deleted = await Promise.all(many.map((index) => scene.call("delete", { path: path(index) })));
  expect((await readdir(scene.workspace, { recursive: true })).sort()).toEqual(
    [0, 1, 2, 3, 4].map((index) => `folder-${index}`),
  );
  await Promise.all(deleted.map(({ changes }) => scene.undo(changes)));
  const texts = await Promise.all(many.map((index) => textOf(scene, path(index))));
  expect(texts).toEqual(many.map(contentOf));
});

test("a folder that is written to while it is deleted keeps what came in between", async () => {
  const scene = await sceneOn();
  for (const index of many) await scene.put(`folder/old-${index}.txt`, "old");
  const [deleted, ...written] = await Promise.all([
    scene.call("delete", { path: "folder", recursive: true }),
    ...many.map((index) => scene.call("write", { path: `folder/new-${index}.txt`, content: `new ${index}` })),
  ]);
  const kept = new Map(written.flatMap(({ outcome }, index) => (outcome === "done" ? [[index, `new ${index}`]] : [])));
  await scene.undo(deleted?.changes);
  for (const [index, text] of kept) expect(await textOf(scene, `folder/new-${index}.txt`)).toBe(text);
  for (const index of many) expect(await textOf(scene, `folder/old-${index}.txt`)).toBe("old");
});

const disks = canMount ? ["tmpfs"] : [];

test.each(disks)("fifty calls at once on a full disk (%s) leave every old file whole", async () => {
  const disk = await smallDisk(2048);
  const scene = await sceneOn({ workspace: join(disk.folder, "workspace") });
  for (const index of many) await scene.put(`${index}.txt`, "old line\n".repeat(100));
  disk.fill();
  const results = await Promise.all(
    many.map((index) =>
      index % 2 === 0
        ? scene.call("write", { path: `${index}.txt`, content: contentOf(index) })
        : scene.call("edit", { path: `${index}.txt`, edits: [{ oldText: "old", newText: "older", all: true }] }),
    ),
  );
  expect(new Set(results.map(({ outcome, output }) => `${outcome}${output.slice(output.indexOf(" was"))}`))).toEqual(
    new Set(["failed was not written: the disk is full. Free some space and try again."]),
  );
  expect(await readdir(scene.workspace)).toHaveLength(50);
  for (const index of many) expect(await textOf(scene, `${index}.txt`)).toBe("old line\n".repeat(100));
});

test.each(disks)("on a full disk (%s) a deletion whose content is kept elsewhere frees it", async () => {
  const disk = await smallDisk(2048);
  const scene = await sceneOn({ workspace: join(disk.folder, "workspace") });
  await scene.put("a.txt", "x".repeat(500_000));
  disk.fill();
  const { outcome, changes } = await scene.call("delete", { path: "a.txt" });
  expect([outcome, await readdir(scene.workspace)]).toEqual(["done", []]);
  await writeFile(join(disk.folder, "more"), "x".repeat(400_000));
  expect((await scene.undo(changes)).output).toContain('"a.txt" was not written: the disk is full.');
  expect(await readdir(scene.workspace)).toEqual([]);
});

test.each(disks)("when the disk of the checkpoints is full (%s), nothing is changed", async () => {
  const disk: SmallDisk = await smallDisk(1024);
  const scene = await sceneOn({ data: join(disk.folder, "data") });
  await scene.put("a.txt", "old ".repeat(50_000));
  await scene.put("folder/b.txt", "old");
  await scene.checkpoints.keep(Buffer.from("makes the folder"));
  disk.fill();
  const results = [
    await scene.call("write", { path: "a.txt", content: "new" }),
    await scene.call("edit", { path: "a.txt", edits: [{ oldText: "old", newText: "new", all: true }] }),
    await scene.call("delete", { path: "a.txt" }),
    await scene.call("delete", { path: "folder", recursive: true }),
  ];
  expect(results.map(({ outcome, output }) => outcome + output.replace(/^"[^"]*"/, ""))).toEqual(
    Array(4).fill(
      "failed was left as it is, because its content could not be kept for an undo: the disk is full. Free some space and try again.",
    ),
  );
  expect(await textOf(scene, "a.txt")).toBe("old ".repeat(50_000));
  disk.free();
  expect((await scene.call("delete", { path: "folder", recursive: true })).outcome).toBe("done");
  expect((await readdir(join(scene.data, "checkpoints"))).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});
