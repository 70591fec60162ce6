import { mkdir, readdir, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../tests/scenes/temporary-folder.ts";
import { prepareDataFolder } from "./data-folder.ts";

async function scene() {
  const folder = await temporaryFolder();
  const [home, workspace, elsewhere] = [join(folder, "home"), join(folder, "workspace"), join(folder, "disk", "data")];
  for (const path of [home, workspace]) await mkdir(path);
  return { home, workspace, elsewhere, prepare: (path: string | null) => prepareDataFolder({ home, path, workspace }) };
}

test("without the setting the data lie in the Steward folder", async () => {
  const { home, prepare } = await scene();
  await prepare(null);
  await prepare(null);
  expect(await readdir(home)).toEqual(["data"]);
});

test("a folder elsewhere is made on the first start and found on the next", async () => {
  const { home, elsewhere, prepare } = await scene();
  await mkdir(join(home, "data"));
  await prepare(elsewhere);
  await prepare(elsewhere);
  expect(await readlink(join(home, "data"))).toBe(elsewhere);
});

test("a disk that is not there is not taken for a first start", async () => {
  const { home, elsewhere, prepare } = await scene();
  await prepare(elsewhere);
  await rm(elsewhere, { recursive: true });
  for (const path of [elsewhere, null]) await expect(prepare(path)).rejects.toThrow("Is the disk there?");
  await expect(readdir(elsewhere)).rejects.toThrow("ENOENT");
  expect(await readlink(join(home, "data"))).toBe(elsewhere);
});

test("naming the usual folder changes nothing", async () => {
  const { home, prepare } = await scene();
  await mkdir(join(home, "data"));
  await writeFile(join(home, "data", "steward.db"), "x");
  await prepare(join(home, "data"));
  expect(await readdir(join(home, "data"))).toEqual(["steward.db"]);
});

test("data that lie somewhere already are never left behind", async () => {
  const { home, elsewhere, prepare } = await scene();
  await mkdir(join(home, "data"));
  await writeFile(join(home, "data", "steward.db"), "x");
  await expect(prepare(elsewhere)).rejects.toThrow(/there are data in .* already\. Move everything in it to/);
  expect(await readdir(join(home, "data"))).toEqual(["steward.db"]);
});

test("a link that leads elsewhere is told", async () => {
  const { home, elsewhere, workspace, prepare } = await scene();
  await symlink(workspace, join(home, "data"));
  await expect(prepare(elsewhere)).rejects.toThrow(/leads to .*workspace\. Move what lies there and remove that link/);
});

test.each([
  ["a part of a path", () => "data", "it must be a whole path"],
  ["a place in the workspace", (workspace: string) => join(workspace, "data"), "the agent works there"],
  ["a place around the workspace", (workspace: string) => join(workspace, ".."), "the agent works there"],
  ["a place that cannot be made", () => "/dev/null/data", "it cannot be made"],
])("%s is refused with the reason", async (_what, path, reason) => {
  const { workspace, prepare } = await scene();
  await expect(prepare(path(workspace))).rejects.toThrow(reason);
});
