import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkspace } from "./open-workspace.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "steward-workspace-"));
  path = join(folder, "deep", "workspace");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("the first run makes a private folder with the seven files and three folders", async () => {
  await openWorkspace({ path });
  expect((await readdir(path)).sort()).toEqual(
    ["AGENTS.md", "HEARTBEAT.md", "IDENTITY.md", "MEMORY.md", "SOUL.md", "TOOLS.md", "USER.md"].concat([
      "agents",
      "memory",
      "skills",
    ]),
  );
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  expect((await stat(join(path, "MEMORY.md"))).mode & 0o777).toBe(0o600);
});

test("what the owner has written is never overwritten", async () => {
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "SOUL.md"), "I am a pirate.");
  await openWorkspace({ path });
  await writeFile(join(path, "USER.md"), "");
  await openWorkspace({ path });
  expect(await readFile(join(path, "SOUL.md"), "utf8")).toBe("I am a pirate.");
  expect(await readFile(join(path, "USER.md"), "utf8")).toBe("");
});

test("a link in a file's place is left alone and nothing is written through it", async () => {
  await mkdir(path, { recursive: true });
  await symlink(join(folder, "outside.md"), join(path, "MEMORY.md"));
  await symlink(join(folder, "outside"), join(path, "skills"));
  await openWorkspace({ path });
  expect(await readlink(join(path, "MEMORY.md"))).toBe(join(folder, "outside.md"));
  expect(await readdir(folder)).toEqual(["deep"]);
});

test("a seeded HEARTBEAT.md holds nothing but its heading and a comment", async () => {
  await openWorkspace({ path });
  const text = await readFile(join(path, "HEARTBEAT.md"), "utf8");
  expect(text.replace(/<!--.*?-->/gs, "").replace(/^#.*$/gm, "")).toMatch(/^\s*$/);
});

test("a workspace that is a file is told with what to do", async () => {
  await writeFile(join(folder, "deep"), "");
  await expect(openWorkspace({ path })).rejects.toThrow(/The workspace .* cannot be used: .*workspace\.path/);
});
