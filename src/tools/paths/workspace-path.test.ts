import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openScene, type Scene } from "../../../tests/scenes/workspace-scene.ts";
import { findPlace, pathOf } from "./workspace-path.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.remove());

test.each(["../x", "a/../../x", "a/../b", "..", "/etc/passwd", "~/x", "~"])(
  "%s is refused as outside",
  async (path) => {
    expect(await findPlace(scene, path, "read")).toEqual({
      refused: `"${path}" lies outside the workspace ${scene.workspace}: give a path below it, without "..".`,
    });
  },
);

test("a folder whose name only begins like the workspace is outside", async () => {
  expect(await findPlace(scene, `${scene.workspace}-evil/x`, "read")).toHaveProperty("refused");
});

test.each(["", "a//b", "a/", "a\0b", "//"])("the malformed path %j is refused", async (path) => {
  expect(await findPlace(scene, path, "read")).toHaveProperty("refused");
});

test("an absolute path beneath the workspace is made relative", async () => {
  const place = { root: scene.workspace, parts: ["a", "b.txt"], prefix: "" };
  expect(await findPlace(scene, join(scene.workspace, "a/b.txt"), "read")).toEqual(place);
  expect(await findPlace({ workspace: `${scene.workspace}/` }, "./a/./b.txt", "read")).toEqual(place);
});

test("a workspace that the owner reaches through a link is known by both its paths", async () => {
  const link = join(scene.outside, "home");
  await symlink(scene.workspace, link);
  const place = { root: scene.workspace, parts: ["a.txt"], prefix: "" };
  expect(await findPlace({ workspace: link }, `${link}/a.txt`, "read")).toEqual(place);
  expect(await findPlace({ workspace: link }, `${scene.workspace}/a.txt`, "read")).toEqual(place);
});

test("a missing workspace is named", async () => {
  const missing = join(scene.outside, "nowhere");
  await mkdir(scene.outside, { recursive: true });
  expect(await findPlace({ workspace: missing }, "a", "read")).toEqual({
    refused: `The workspace ${missing} cannot be opened: it does not exist. Check the path.`,
  });
});

test("a folder beside the workspace is reached by its whole path, for what it was opened for", async () => {
  const { workspace, outside } = scene;
  const [path, root] = [`${outside}/b/c.txt`, outside];
  const place = { root, parts: ["b", "c.txt"], prefix: `${outside}/` };
  expect(pathOf(place)).toBe(path);
  const [readable, writable] = [{ readDirs: [outside] }, { writeDirs: [outside] }];
  expect(await findPlace({ workspace, ...readable }, path, "read")).toEqual(place);
  expect(await findPlace({ workspace, ...readable }, path, "write")).toHaveProperty("refused");
  expect(await findPlace({ workspace, ...writable }, path, "read")).toEqual(place);
  expect(await findPlace({ workspace, ...writable }, path, "write")).toEqual(place);
  const relative = { root: workspace, parts: ["b", "c.txt"], prefix: "" };
  expect(await findPlace({ workspace, ...writable }, "b/c.txt", "write")).toEqual(relative);
  expect(await findPlace({ workspace, ...readable }, "b/c.txt", "read")).toEqual(relative);
  expect(await findPlace({ workspace, ...writable }, `${outside}-evil/x`, "write")).toHaveProperty("refused");
  expect(await findPlace({ workspace, ...writable }, `${outside}/../x`, "write")).toHaveProperty("refused");
});
