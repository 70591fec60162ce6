import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openScene, type Scene } from "../../../tests/scenes/workspace-scene.ts";
import { findPlace } from "./workspace-path.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.remove());

test.each(["../x", "a/../../x", "a/../b", "..", "/etc/passwd", "~/x", "~"])(
  "%s is refused as outside",
  async (path) => {
    expect(await findPlace(scene.workspace, path)).toEqual({
      refused: `"${path}" lies outside the workspace ${scene.workspace}: give a path below it, without "..".`,
    });
  },
);

test("a folder whose name only begins like the workspace is outside", async () => {
  expect(await findPlace(scene.workspace, `${scene.workspace}-evil/x`)).toHaveProperty("refused");
});

test.each(["", "a//b", "a/", "a\0b", "//"])("the malformed path %j is refused", async (path) => {
  expect(await findPlace(scene.workspace, path)).toHaveProperty("refused");
});

test("an absolute path beneath the workspace is made relative", async () => {
  const place = { root: scene.workspace, parts: ["a", "b.txt"] };
  expect(await findPlace(scene.workspace, join(scene.workspace, "a/b.txt"))).toEqual(place);
  expect(await findPlace(`${scene.workspace}/`, "./a/./b.txt")).toEqual(place);
});

test("a workspace that the owner reaches through a link is known by both its paths", async () => {
  const link = join(scene.outside, "home");
  await symlink(scene.workspace, link);
  const place = { root: scene.workspace, parts: ["a.txt"] };
  expect(await findPlace(link, `${link}/a.txt`)).toEqual(place);
  expect(await findPlace(link, `${scene.workspace}/a.txt`)).toEqual(place);
});

test("a missing workspace is named", async () => {
  const missing = join(scene.outside, "nowhere");
  await mkdir(scene.outside, { recursive: true });
  expect(await findPlace(missing, "a")).toEqual({
    refused: `The workspace ${missing} cannot be opened: it does not exist. Check the path.`,
  });
});
