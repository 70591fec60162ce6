import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, open, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openConventionFiles } from "./convention-files.ts";

let folder: string;
let workspace: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "steward-files-"));
  workspace = join(folder, "workspace");
  await mkdir(workspace);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const put = (name: string, content: string | Buffer) => writeFile(join(workspace, name), content);
const load = () => openConventionFiles(workspace)();

test("files come in a fixed order with memory last, and missing ones are simply absent", async () => {
  for (const name of ["MEMORY.md", "USER.md", "AGENTS.md", "OTHER.md"]) await put(name, `text of ${name}`);
  expect(await load()).toEqual({
    files: [
      { name: "AGENTS.md", text: "text of AGENTS.md" },
      { name: "USER.md", text: "text of USER.md" },
      { name: "MEMORY.md", text: "text of MEMORY.md" },
    ],
    warnings: [],
  });
});

test("a change is seen in the next turn, also when size and time stay the same", async () => {
  const loadAgain = openConventionFiles(workspace);
  await put("SOUL.md", "calm");
  await utimes(join(workspace, "SOUL.md"), 1000, 1000);
  await loadAgain();
  await put("next.md", "wild");
  await utimes(join(workspace, "next.md"), 1000, 1000);
  await rename(join(workspace, "next.md"), join(workspace, "SOUL.md"));
  expect((await loadAgain()).files).toEqual([{ name: "SOUL.md", text: "wild" }]);
});

test("a file of exactly 20,000 characters is whole", async () => {
  await put("MEMORY.md", "é".repeat(20_000));
  expect((await load()).files[0]?.text).toBe("é".repeat(20_000));
});

test("a longer file keeps 70 % of the limit from its head and 20 % from its tail, and says what is missing", async () => {
  await put("MEMORY.md", `${"a".repeat(14_000)}${"b".repeat(2_001)}${"c".repeat(4_000)}`);
  const mark = "\n[… 2,001 characters of MEMORY.md are left out here; read the file to see them …]\n";
  expect((await load()).files[0]?.text).toBe(`${"a".repeat(14_000)}${mark}${"c".repeat(4_000)}`);
});

test("a character of two halves is not cut in two", async () => {
  await put("MEMORY.md", `x${"😀".repeat(12_000)}y`);
  expect((await load()).files[0]?.text.isWellFormed()).toBe(true);
});

test("a file of a terabyte is not read whole", async () => {
  const handle = await open(join(workspace, "MEMORY.md"), "w");
  await handle.write("start ");
  await handle.write(" end", 2 ** 40 - 4);
  await handle.close();
  const text = (await load()).files[0]?.text ?? "";
  expect(text).toMatch(/^start .*\[… about 1,099,511,609,776 characters of MEMORY\.md are left out.* end$/s);
  expect(text.length).toBeLessThan(20_000);
});

test("a link that leads out of the workspace is not followed", async () => {
  await writeFile(join(folder, "secret"), "the key is 123");
  await symlink("../secret", join(workspace, "MEMORY.md"));
  expect(await load()).toEqual({
    files: [],
    warnings: ["MEMORY.md is left out of the prompt: it is a link, and links are not followed"],
  });
});

test("a folder or a pipe in a file's place neither fails nor blocks the turn", async () => {
  await mkdir(join(workspace, "SOUL.md"));
  execFileSync("mkfifo", [join(workspace, "USER.md")]);
  await put("TOOLS.md", "fine");
  const loaded = await load();
  expect(loaded.files).toEqual([{ name: "TOOLS.md", text: "fine" }]);
  expect(loaded.warnings).toEqual([
    "SOUL.md is left out of the prompt: it is not a plain file",
    "USER.md is left out of the prompt: it is not a plain file",
  ]);
});

test("bytes that are not UTF-8, NUL bytes and hidden characters become harmless text", async () => {
  await put(
    "MEMORY.md",
    Buffer.concat([Buffer.from("a\0b\u001b[31mc\r\nd\tä"), Buffer.from([0xff, 0xc3]), Buffer.from("e\u{E0041}f")]),
  );
  expect((await load()).files[0]?.text).toBe("a�b�[31mc\nd\tä��ef");
});
