// An attacker exchanges folders of the workspace with links that lead outside, while names are searched, deleted and put back.
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ToolResult } from "../../../src/contract/tool.ts";
import { type Exchange, startExchange } from "../../scenes/tools/rename-exchange.ts";
import { openScene, type Scene } from "../../scenes/workspace-scene.ts";

const secret = "only outside the workspace";

let scene: Scene;
let exchanges: Exchange[];

beforeEach(async () => {
  scene = await openScene();
  await mkdir(join(scene.outside, "sub"));
  for (const name of ["a.txt", "sub/b.txt", "outside-marker.txt"]) await writeFile(join(scene.outside, name), secret);
  await scene.put("folder/a.txt", "inside, not outside");
  await scene.put("folder/sub/b.txt", "inside, not outside");
  await symlink(scene.outside, join(scene.workspace, "folder-link"));
  await scene.put("pair/single.txt", "inside, not outside");
  await symlink(join(scene.outside, "a.txt"), join(scene.workspace, "pair/link"));
  exchanges = [];
  for (const [first, second] of [
    ["folder", "folder-link"],
    ["pair/single.txt", "pair/link"],
  ] as const) {
    exchanges.push(await startExchange(join(scene.workspace, first), join(scene.workspace, second)));
  }
});

afterEach(async () => {
  await Promise.all(exchanges.map((exchange) => exchange.stop()));
  await scene.remove();
});

test("searches see nothing outside", { timeout: 120_000 }, async () => {
  const before = await picture(scene.outside);
  const results: ToolResult[] = [];
  for (let round = 0; round < 150; round++) {
    results.push(
      ...(await Promise.all([
        scene.call("grep", { pattern: "outside" }),
        scene.call("grep", { pattern: "outsid.", path: "folder" }),
        scene.call("grep", { pattern: "outsid.", path: "pair" }),
        scene.call("grep", { pattern: "outside", path: "pair/single.txt" }),
        scene.call("find", { pattern: "**" }),
      ])),
    );
  }
  const outputs = results.map(({ output }) => output);
  expect(outputs.filter((output) => output.includes(secret) || output.includes("outside-marker"))).toEqual([]);
  expect(outputs.some((output) => output.includes("inside, not outside"))).toBe(true);
  expect(await picture(scene.outside)).toEqual(before);
});

test("deletions and undos touch nothing outside", { timeout: 120_000 }, async () => {
  const before = await picture(scene.outside);
  const met = new Set<string>();
  for (let round = 0; round < 300; round++) {
    const wish = round % 3 === 0 ? { path: "folder/sub", recursive: true } : { path: `folder/${round % 3}.txt` };
    if (round % 3 !== 0) await scene.call("write", { path: wish.path, content: "made" });
    const deleted = await scene.call("delete", wish);
    met.add(`delete ${deleted.outcome}`);
    for (const { outcome } of (await scene.undo(deleted.changes)).undone) met.add(`undo ${outcome}`);
  }
  expect(await picture(scene.outside)).toEqual(before);
  // both sides of the exchange were met: otherwise the race did not take place
  expect([...met]).toEqual(expect.arrayContaining(["delete done", "delete failed", "undo put back", "undo conflict"]));
});

/** Every name below a folder with its content and the times that any change would move. */
async function picture(folder: string): Promise<unknown[]> {
  const names = (await readdir(folder, { recursive: true })).sort();
  return Promise.all(
    [".", ...names].map(async (name) => {
      const path = join(folder, name);
      const stats = await stat(path);
      const content = stats.isFile() ? await readFile(path, "utf8") : undefined;
      return { name, content, inode: stats.ino, changedMs: stats.ctimeMs };
    }),
  );
}
