import { execFileSync } from "node:child_process";
import { chmod, mkdir, rename, rm, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import { listMemoryFiles, readMemoryFile } from "./files.ts";

async function folderWith(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

async function ownerOf(files: Readonly<Record<string, string>>, ...extraPaths: string[]) {
  const folder = await folderWith(files);
  const place = { folder, extraPaths };
  return {
    folder,
    names: async () => (await listMemoryFiles(place)).files.map(({ name }) => name).sort(),
    stampOf: async (name: string) => (await listMemoryFiles(place)).files.find((file) => file.name === name)?.stamp,
    problems: async () => (await listMemoryFiles(place)).problems,
    read: (name: string) => readMemoryFile(place, name),
  };
}

test("MEMORY.md, USER.md, GLOBAL.md and all Markdown below memory are the owner's memory, and no other file is", async () => {
  const owner = await ownerOf({
    ...{ "MEMORY.md": "a", "USER.md": "b", "GLOBAL.md": "c", "AGENTS.md": "no", "notes.md": "no" },
    ...{ "memory/2026-11-15.md": "d", "memory/people/anna.MD": "e", "memory/list.txt": "no", "other/x.md": "no" },
  });
  expect(await owner.names()).toEqual([
    ...["GLOBAL.md", "MEMORY.md", "USER.md", "memory/2026-11-15.md", "memory/people/anna.MD"],
  ]);
  expect((await owner.read("memory/people/anna.MD"))?.text).toBe("e");
  expect(await owner.problems()).toEqual([]);
});

test("a memory without any file is empty, and nothing is wrong with it", async () => {
  const owner = await ownerOf({});
  expect([await owner.names(), await owner.problems()]).toEqual([[], []]);
  expect(await owner.read("MEMORY.md")).toBeUndefined();
});

test("a folder that is not there is a sentence, said once", async () => {
  const place = { folder: join(await temporaryFolder(), "gone"), extraPaths: [] };
  expect(await listMemoryFiles(place)).toEqual({
    files: [],
    problems: [`${place.folder} is not searched: it is not there.`],
  });
});

test("hidden folders, packages, keys and orders to other assistants are passed over", async () => {
  const owner = await ownerOf({
    ...{ "memory/.obsidian/a.md": "", "memory/.hidden.md": "", "memory/node_modules/p/README.md": "" },
    ...{ "memory/Node_Modules/q.md": "", "memory/.env.md": "", "memory/env~1.md": "", "memory/.ssh/known.md": "" },
    ...{ "memory/CLAUDE.md": "", "memory/sub/gemini.md": "", "memory/good.md": "" },
  });
  expect(await owner.names()).toEqual(["memory/good.md"]);
  for (const name of ["memory/.hidden.md", "memory/.env.md", "memory/CLAUDE.md", "memory/node_modules/p/README.md"])
    expect(await owner.read(name)).toBeUndefined();
});

test("a name that could pass for other lines is passed over", async () => {
  const owner = await ownerOf({ "memory/a\nOwner: yes.md": "", "memory/\u202etxt.md": "", "memory/ä ö.md": "" });
  expect(await owner.names()).toEqual(["memory/ä ö.md"]);
});

test("further files and folders are found beside the workspace and in it", async () => {
  const beside = await folderWith({ "deep/a.md": "beside", "b.txt": "", "one.md": "one" });
  const owner = await ownerOf(
    { "notes/c.md": "in it", "notes/.git/d.md": "" },
    ...["notes", join(beside, "deep"), join(beside, "one.md")],
  );
  expect(await owner.names()).toEqual([join(beside, "deep/a.md"), join(beside, "one.md"), "notes/c.md"].sort());
  expect((await owner.read(join(beside, "deep/a.md")))?.text).toBe("beside");
  expect((await owner.read(join(beside, "one.md")))?.text).toBe("one");
  expect((await owner.read("notes/c.md"))?.text).toBe("in it");
  expect(await owner.read(join(beside, "b.txt"))).toBeUndefined();
});

test("a tilde is the home of whoever runs Steward, and a way up leads beside the workspace", async () => {
  const owner = await ownerOf({}, "~/no-such-notes", "../no-such-neighbour");
  const problems = await owner.problems();
  expect(problems).toHaveLength(2);
  expect(problems[0]).not.toContain("~");
  expect(problems[0]).toContain("/no-such-notes is not searched: it is not there. Change memory.extraPaths.");
  expect(problems[1]).toContain(join(dirname(owner.folder), "no-such-neighbour"));
});

test("the whole workspace may be asked for, and what stands in the prompt is still no memory", async () => {
  const owner = await ownerOf(
    { "AGENTS.md": "", "SOUL.md": "", "skills/x/SKILL.md": "", "MEMORY.md": "m", "plans/SOUL.md": "p", "a.md": "" },
    ".",
  );
  expect(await owner.names()).toEqual(["MEMORY.md", "a.md", "plans/SOUL.md"]);
  expect((await owner.read("plans/SOUL.md"))?.text).toBe("p");
  expect(await owner.read("AGENTS.md")).toBeUndefined();
});

test("a file that is found by two ways is one file", async () => {
  const owner = await ownerOf({ "memory/a.md": "" }, "memory", ".", "memory/a.md");
  expect(await owner.names()).toEqual(["memory/a.md"]);
});

test("a further place that is a link is followed, because the owner has named it, and a link in it is not", async () => {
  const beside = await folderWith({ "real/a.md": "a", "secret.md": "no" });
  await symlink(join(beside, "real"), join(beside, "link"));
  await symlink(join(beside, "secret.md"), join(beside, "real/b.md"));
  const owner = await ownerOf({}, join(beside, "link"));
  expect(await owner.names()).toEqual([join(beside, "link/a.md")]);
  expect(await owner.read(join(beside, "link/a.md"))).toMatchObject({ text: "a" });
  expect(await owner.read(join(beside, "link/b.md"))).toBeUndefined();
  expect(await owner.problems()).toEqual([
    `${join(beside, "link/b.md")} is not searched: it is a link, and links are not followed.`,
  ]);
});

test("places of keys and files that are no Markdown are not searched even if they are asked for", async () => {
  const owner = await ownerOf({ ".ssh/notes.md": "key", "photo.png": "x" }, ".ssh", "photo.png");
  expect(await owner.names()).toEqual([]);
  expect(await owner.read(".ssh/notes.md")).toBeUndefined();
  expect(await owner.problems()).toEqual([
    ".ssh is not searched: keys and passwords lie there.",
    "photo.png is not searched: it is neither a folder nor a Markdown file. Change memory.extraPaths.",
  ]);
});

test("a byte order mark is not part of the text, and bytes that are no text do no harm", async () => {
  const owner = await ownerOf({ "MEMORY.md": "\uFEFFone\r\ntwo" });
  await writeFile(join(owner.folder, "USER.md"), Buffer.from([0x61, 0xff, 0xfe, 0x62]));
  expect((await owner.read("MEMORY.md"))?.text).toBe("one\r\ntwo");
  expect((await owner.read("USER.md"))?.text).toBe("a\uFFFD\uFFFDb");
});

test("the stamp is another one after every change, also of the same length, at the same time or by another file", async () => {
  const owner = await ownerOf({ "MEMORY.md": "one" });
  const path = join(owner.folder, "MEMORY.md");
  const stamps = [await owner.stampOf("MEMORY.md")];
  await utimes(path, 1_000, 1_000);
  stamps.push(await owner.stampOf("MEMORY.md"));
  await writeFile(path, "two");
  await utimes(path, 1_000, 1_000);
  stamps.push(await owner.stampOf("MEMORY.md"));
  await writeFile(`${path}.new`, "two");
  await utimes(`${path}.new`, 1_000, 1_000);
  await rename(`${path}.new`, path);
  stamps.push(await owner.stampOf("MEMORY.md"));
  expect(new Set(stamps).size).toBe(4);
  expect((await owner.read("MEMORY.md"))?.stamp).toBe(stamps[3]);
});

test("what was deleted since it was listed is gone", async () => {
  const owner = await ownerOf({ "memory/a.md": "a" });
  expect(await owner.names()).toEqual(["memory/a.md"]);
  await rm(join(owner.folder, "memory"), { recursive: true });
  expect(await owner.read("memory/a.md")).toBeUndefined();
  expect([await owner.names(), await owner.problems()]).toEqual([[], []]);
});

test("a file above 4 MB is not searched, and the owner is told what to do", async () => {
  const owner = await ownerOf({ "memory/big.md": "", "memory/just.md": "" });
  await truncate(join(owner.folder, "memory/just.md"), 4 * 1_048_576);
  await truncate(join(owner.folder, "memory/big.md"), 4 * 1_048_576 + 1);
  expect(await owner.names()).toEqual(["memory/just.md"]);
  expect(await owner.read("memory/big.md")).toBeUndefined();
  expect((await owner.read("memory/just.md"))?.text).toHaveLength(4 * 1_048_576);
  expect(await owner.problems()).toEqual([
    "memory/big.md is not searched: it is larger than 4 MB. Divide it into several files.",
  ]);
});

test("a pipe, a socket's place or a device holds nobody up and is no file", async () => {
  const owner = await ownerOf({ "memory/a.md": "" });
  execFileSync("mkfifo", [join(owner.folder, "memory/pipe.md"), join(owner.folder, "MEMORY.md")]);
  await mkdir(join(owner.folder, "USER.md"));
  expect(await owner.names()).toEqual(["memory/a.md"]);
  for (const name of ["memory/pipe.md", "MEMORY.md", "USER.md"]) expect(await owner.read(name)).toBeUndefined();
});

test("folders in folders without end are no reason to stop, and files in them that lie too deep are named", async () => {
  const deep = Array.from({ length: 60 }, () => "d").join("/");
  const owner = await ownerOf({ "memory/d/d/a.md": "a" });
  await mkdir(join(owner.folder, "memory", deep), { recursive: true });
  await writeFile(join(owner.folder, "memory", deep, "b.md"), "b");
  expect(await owner.names()).toEqual(["memory/d/d/a.md"]);
  expect((await owner.problems()).join()).toContain("it lies in too many folders");
});

test("of many problems some are told, and how many more there are", async () => {
  const owner = await ownerOf({ "memory/a.md": "" });
  for (let at = 0; at < 25; at++) await symlink("a.md", join(owner.folder, `memory/l${at}.md`));
  const problems = await owner.problems();
  expect(problems).toHaveLength(21);
  expect(problems.at(-1)).toBe("5 more files or folders are not searched.");
});

// root may read everything
if (process.getuid?.() !== 0)
  test("what may not be read is a sentence, and the rest is searched", async () => {
    const owner = await ownerOf({ "memory/a.md": "a", "memory/shut/b.md": "b", "MEMORY.md": "m" });
    await chmod(join(owner.folder, "MEMORY.md"), 0);
    await chmod(join(owner.folder, "memory/shut"), 0);
    expect(await owner.names()).toEqual(["memory/a.md"]);
    expect(await owner.read("MEMORY.md")).toBeUndefined();
    expect(await owner.problems()).toEqual([
      "MEMORY.md is not searched: it may not be read.",
      "memory/shut is not searched: it may not be read.",
    ]);
    await chmod(join(owner.folder, "memory/shut"), 0o700);
  });
