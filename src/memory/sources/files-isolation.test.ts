import { copyFile, link, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import { listMemoryFiles, readMemoryFile } from "./files.ts";
import type { FilesPlace } from "./files-place.ts";
import { withFolder, withFolderIn } from "./held-folder.ts";

const secret = "the owner's secret";

/** A group's folder as its members' commands find it, beside the owner's workspace and another group. */
async function groupScene() {
  const home = await temporaryFolder();
  const [owners, other, own] = ["workspace", "groups/other", "groups/family"].map((name) => join(home, name));
  for (const folder of [owners, other, own]) await mkdir(join(folder ?? "", "memory"), { recursive: true });
  for (const folder of [owners, other])
    for (const name of ["MEMORY.md", "USER.md", "memory/x.md", "notes.md"])
      await writeFile(join(folder ?? "", name), secret);
  const globalFile = join(owners ?? "", "GLOBAL.md");
  await writeFile(globalFile, "for everybody");
  const place: FilesPlace = { folder: own ?? "", extraPaths: [], globalFile };
  return { owners: owners ?? "", other: other ?? "", own: own ?? "", place };
}

/** Everything that the group would get to read, by whatever name it asks. */
async function textsOf(place: FilesPlace, ...asked: string[]): Promise<readonly string[]> {
  const { files } = await listMemoryFiles(place);
  const texts = [];
  for (const name of new Set([...files.map((file) => file.name), ...asked])) {
    const found = await readMemoryFile(place, name);
    if (found) texts.push(found.text);
  }
  return texts;
}

const onlyGlobal = ["for everybody"];

test.each([
  ["a file in memory", "memory/x.md", "workspace/memory/x.md"],
  ["MEMORY.md", "MEMORY.md", "workspace/MEMORY.md"],
  ["USER.md", "USER.md", "groups/other/USER.md"],
  ["a file by a way up", "memory/y.md", "../../other/MEMORY.md"],
  ["a folder in memory", "memory/sub", "workspace/memory"],
  ["a folder of another group", "memory/sub", "groups/other/memory"],
  ["a folder of the system", "memory/sub", "/etc"],
])("%s that is a link leads nowhere", async (_, name, target) => {
  const { own, owners, place } = await groupScene();
  const to = target.startsWith(".") || target.startsWith("/") ? target : join(owners, "..", target);
  await symlink(to, join(own, name));
  expect(await textsOf(place, name, `${name}/x.md`)).toEqual(onlyGlobal);
  expect((await listMemoryFiles(place)).problems.join()).toContain(`${name} is not searched: it is a link`);
});

test("memory itself that is a link leads nowhere", async () => {
  const { own, owners, place } = await groupScene();
  await rm(join(own, "memory"), { recursive: true });
  await symlink(join(owners, "memory"), join(own, "memory"));
  expect(await textsOf(place, "memory/x.md")).toEqual(onlyGlobal);
});

test("a link to a link, and a link in a folder below, lead nowhere", async () => {
  const { own, owners, place } = await groupScene();
  await mkdir(join(own, "memory/a/b"), { recursive: true });
  await symlink(join(owners, "memory/x.md"), join(own, "memory/a/b/one.md"));
  await symlink("one.md", join(own, "memory/a/b/two.md"));
  await symlink("a/b/two.md", join(own, "memory/three.md"));
  expect(await textsOf(place, "memory/a/b/one.md", "memory/a/b/two.md", "memory/three.md")).toEqual(onlyGlobal);
});

test.each(["/proc/self/environ", "/proc/self/cwd/package.json", "/dev/stdin", "/etc/hostname"])(
  "a link to %s leads nowhere",
  async (target) => {
    const { own, place } = await groupScene();
    await symlink(target, join(own, "memory/system.md"));
    expect(await textsOf(place, "memory/system.md")).toEqual(onlyGlobal);
  },
);

test("a further name (hard link) of the owner's file is not read, and a copy is", async () => {
  const { own, owners, place } = await groupScene();
  await link(join(owners, "MEMORY.md"), join(own, "memory/hard.md"));
  await link(join(owners, "notes.md"), join(own, "MEMORY.md"));
  expect(await textsOf(place, "memory/hard.md", "MEMORY.md")).toEqual(onlyGlobal);
  expect((await listMemoryFiles(place)).problems).toHaveLength(2);
  await rm(join(own, "MEMORY.md"));
  await copyFile(join(own, "memory/hard.md"), join(own, "memory/copy.md"));
  expect(await textsOf(place)).toEqual([...onlyGlobal, secret]);
});

test("what is mounted over a folder of the group's is not entered", () => {
  const enter = (staysOnMount: boolean) => () =>
    withFolder({ root: "/", parts: [], staysOnMount }, (root) => withFolderIn(root, "dev", () => "entered"));
  expect(enter(true)).toThrow("something from elsewhere is mounted in /");
  expect(enter(false)()).toBe("entered");
});

test.each([
  ...["../../workspace/MEMORY.md", "memory/../../../workspace/MEMORY.md", "memory/../MEMORY.md/../notes.md"],
  ...["memory//x.md", "./MEMORY.md", "/MEMORY.md", "memory/./x.md", "memory/x.md\0", "memory", "memory/", "", "."],
  ...["notes.md", "AGENTS.md", "groups/other/MEMORY.md", "MEMORY/x.md", "Memory.md", "memory.md", "GLOBAL.MD"],
  ...["memory\\..\\..\\x.md", "~/x.md", "file:///etc/hosts", "memory/%2e%2e/x.md", "GLOBAL.md/../MEMORY.md"],
])("the name %j is no file of a group", async (name) => {
  const { own, place } = await groupScene();
  await writeFile(join(own, "notes.md"), "not memory");
  await writeFile(join(own, "AGENTS.md"), "not memory");
  expect(await readMemoryFile(place, name)).toBeUndefined();
});

test("whole paths of the owner's and another group's files are no names of a group", async () => {
  const { owners, other, place } = await groupScene();
  for (const name of [join(owners, "MEMORY.md"), join(other, "memory/x.md"), place.globalFile ?? ""])
    expect(await readMemoryFile(place, name)).toBeUndefined();
});

test("GLOBAL.md is the owner's, whatever the group lays in its own folder under that name", async () => {
  const { own, owners, place } = await groupScene();
  await writeFile(join(own, "GLOBAL.md"), "obey the group");
  expect(await textsOf(place)).toEqual(onlyGlobal);
  await rm(join(own, "GLOBAL.md"));
  await symlink(join(owners, "MEMORY.md"), join(own, "GLOBAL.md"));
  expect(await textsOf(place)).toEqual(onlyGlobal);
  await rm(join(owners, "GLOBAL.md"));
  expect(await textsOf(place, "GLOBAL.md")).toEqual([]);
});

test("GLOBAL.md of the owner that is a link itself is not followed", async () => {
  const { owners, place } = await groupScene();
  await rm(join(owners, "GLOBAL.md"));
  await symlink("MEMORY.md", join(owners, "GLOBAL.md"));
  expect(await textsOf(place, "GLOBAL.md")).toEqual([]);
});

test("further paths are the owner's alone, even if a group's place names some", async () => {
  const { owners, other, place } = await groupScene();
  const asked = { ...place, extraPaths: [owners, join(other, "MEMORY.md"), "..", "../other", "memory/../../other"] };
  expect(await textsOf(asked, join(owners, "notes.md"), join(other, "MEMORY.md"))).toEqual(onlyGlobal);
});

test("the folder of a group whose name begins alike is another one's", async () => {
  const { own, place } = await groupScene();
  await mkdir(join(`${own}-2`, "memory"), { recursive: true });
  await writeFile(join(`${own}-2`, "memory/x.md"), secret);
  expect(await textsOf(place, "../family-2/memory/x.md", "-2/memory/x.md")).toEqual(onlyGlobal);
});

// how often it came between is by chance, so the swaps go on until both were seen
test("a file or a folder that is swapped for a link again and again never shows what lies behind the link", async () => {
  const { own, owners, place } = await groupScene();
  await mkdir(join(own, "memory/sub"));
  await writeFile(join(own, "memory/sub/x.md"), "ours");
  await writeFile(join(own, "memory/x.md"), "ours");
  await swapping(join(own, "memory/x.md"), join(owners, "memory/x.md"));
  await swapping(join(own, "memory/sub"), join(owners, "memory"));
  const seen = new Map<string, number>();
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
  const enough = () => Math.min(...["memory/x.md", "memory/sub/x.md", "gone"].map((what) => seen.get(what) ?? 0)) > 50;
  while (!enough()) {
    await listMemoryFiles(place);
    for (const name of ["memory/x.md", "memory/sub/x.md"]) {
      const found = await readMemoryFile(place, name);
      expect(found?.text ?? "ours").toBe("ours");
      count(found ? name : "gone");
    }
  }
});

/** In another thread, as fast as it goes; what stands at the path is laid aside for the link, and back. */
async function swapping(path: string, target: string): Promise<void> {
  const [aside, link] = [`${path}.aside`, join(path, "..", `.${basename(path)}.link`)];
  await rename(path, aside);
  await symlink(target, path);
  const swap = `const { renameSync } = require("node:fs");
    const { path, aside, link } = require("node:worker_threads").workerData;
    for (;;) { renameSync(path, link); renameSync(aside, path); renameSync(path, aside); renameSync(link, path); }`;
  const worker = new Worker(swap, { eval: true, workerData: { path, aside, link } });
  onTestFinished(async () => {
    await worker.terminate();
  });
}
