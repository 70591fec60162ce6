import { execFile } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cpuMs } from "../../../tests/scenes/cpu-time.ts";
import { openScene, type Scene } from "../../../tests/scenes/workspace-scene.ts";
import { grepTool } from "./grep-tool.ts";
import { openSearchThreads } from "./threads/search-threads.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.remove());

const grep = async (args: Record<string, unknown>) => (await scene.call("grep", args)).output.split("\n");

test("matching lines stand below the name of their file, in order", async () => {
  await scene.put("b.txt", "no\nneedle\n");
  await scene.put("a/c.txt", "needle 1\r\nno\nthe needle 2");
  expect(await grep({ pattern: "needle" })).toEqual(["a/c.txt", "1:needle 1", "3:the needle 2", "b.txt", "2:needle"]);
  expect(await grep({ pattern: "^needle( \\d)?$" })).toEqual(["a/c.txt", "1:needle 1", "b.txt", "2:needle"]);
});

test("the result names the files whose words it shows", async () => {
  await scene.put("a.txt", "needle\n".repeat(250));
  await scene.put("b.txt", "needle");
  expect((await scene.call("grep", { pattern: "needle" })).read).toEqual(["a.txt"]);
  expect((await scene.call("grep", { pattern: "needle", mode: "count" })).read).toEqual(["a.txt", "b.txt"]);
});

test("lines around a match are shown once, and a gap is marked", async () => {
  await scene.put("a.txt", Array.from({ length: 12 }, (_, line) => `line ${line + 1}`).join("\n"));
  expect(await grep({ pattern: "line (1|3|4|12)$", context: 1 })).toEqual([
    "a.txt",
    "1:line 1",
    "2-line 2",
    "3:line 3",
    "4:line 4",
    "5-line 5",
    "--",
    "11-line 11",
    "12:line 12",
  ]);
});

test("files and counts can be asked for instead", async () => {
  await scene.put("a.txt", "x needle\nneedle needle\n");
  await scene.put("b.txt", "needle");
  expect(await grep({ pattern: "needle", mode: "files" })).toEqual(["a.txt", "b.txt"]);
  expect(await grep({ pattern: "needle", mode: "count" })).toEqual([
    "a.txt: 2",
    "b.txt: 1",
    "[3 matching lines in 2 files.]",
  ]);
});

test("case, glob and path narrow or widen the search", async () => {
  for (const path of ["a.ts", "a.md", "src/b.ts", "node_modules/c.ts"]) await scene.put(path, "Größe STRASSE\n");
  expect(await grep({ pattern: "grösse|GRÖẞE|größe", mode: "files" })).toEqual(["No match."]);
  expect(await grep({ pattern: "größe", ignoreCase: true, glob: "*.ts", mode: "files" })).toEqual(["a.ts", "src/b.ts"]);
  expect(await grep({ pattern: "(?i)strasse", glob: "!*.ts", mode: "files" })).toEqual(["a.md"]);
  expect(await grep({ pattern: "Gr", path: "src", mode: "files" })).toEqual(["src/b.ts"]);
  expect(await grep({ pattern: "Gr", path: "node_modules", mode: "files" })).toEqual(["node_modules/c.ts"]);
  expect(await grep({ pattern: "Gr", path: "src/b.ts" })).toEqual(["src/b.ts", "1:Größe STRASSE"]);
});

test("binary files, files with secrets and links are passed over", async () => {
  await scene.put("binary", "needle\n\0\n");
  await scene.put(".env", "needle=1");
  await scene.put("a/.Env", "needle=1");
  await writeFile(join(scene.outside, "secret.txt"), "needle");
  await symlink(scene.outside, join(scene.workspace, "way"));
  await symlink(join(scene.outside, "secret.txt"), join(scene.workspace, "link.txt"));
  await promisify(execFile)("mkfifo", [join(scene.workspace, "pipe")]);
  expect(await grep({ pattern: "needle" })).toEqual(["No match."]);
  expect(await grep({ pattern: "needle", path: "a/.Env" })).toEqual([
    '"a/.Env" holds secrets, and only the owner opens it.',
  ]);
});

test("a long line is cut around its match", async () => {
  await scene.put("long.txt", `${"a".repeat(5000)}needle${"b".repeat(5000)}\n`);
  await scene.put("short.txt", `needle${"c".repeat(5000)}\n`);
  const [, far, , near] = await grep({ pattern: "needle" });
  expect(far).toBe(`1:…${"a".repeat(100)}needle${"b".repeat(394)}… [line of 10006 characters]`);
  expect(near).toBe(`1:needle${"c".repeat(494)}… [line of 5006 characters]`);
});

test("two hundred matches are shown, the first in order, and the rest are counted", async () => {
  await scene.put("a.txt", "needle\n".repeat(150));
  await scene.put("b.txt", "needle\n".repeat(150));
  await scene.put("c.txt", "needle\n".repeat(1000));
  const lines = await grep({ pattern: "needle" });
  expect(lines.filter((line) => line.endsWith(":needle"))).toHaveLength(200);
  expect(lines.slice(-2)).toEqual([
    "50:needle",
    "[1100 more matching lines, in 3 files altogether: narrow the search.]",
  ]);
});

test("a file of many megabytes is searched to its end, with the right line numbers", async () => {
  const filler = `${"x".repeat(99)}\n`.repeat(50_000);
  await scene.put("large.txt", `\ufeffneedle\n${filler}before\nneedle\nafter\n${filler}needle`);
  expect(await grep({ pattern: "^needle$", context: 1 })).toEqual([
    "large.txt",
    "1:needle",
    `2-${"x".repeat(99)}`,
    "--",
    "50002-before",
    "50003:needle",
    "50004-after",
    "--",
    `100004-${"x".repeat(99)}`,
    "100005:needle",
  ]);
});

test("every line is found wherever the reading is cut", async () => {
  // lines whose lengths share no factor with the size of what is read at once
  const lines = Array.from({ length: 30_011 }, (_, line) => `${line} ${"é".repeat(line % 97)}`);
  await scene.put("large.txt", lines.join("\n"));
  for (const context of [0, 3]) {
    const [head, ...rest] = await grep({ pattern: "^\\d*000 ", context });
    expect(head).toBe("large.txt");
    const matches = rest.filter((line) => /^\d+:/.test(line));
    expect(matches).toEqual(lines.flatMap((line, at) => (/^\d*000 /.test(line) ? [`${at + 1}:${line}`] : [])));
    expect(rest).toHaveLength(31 - 1 + (context === 0 ? 0 : 30 * 6 + 29));
  }
});

test.each([
  ["a(b", "is not a regular expression: Unterminated group"],
  ["*", "is not a regular expression: Nothing to repeat"],
  ["", "The pattern is empty"],
  ["a\\nb", "spans lines"],
  ["x".repeat(2001), "more than 2000 characters"],
])("the pattern %j is refused with a reason", async (pattern, reason) => {
  expect(await scene.call("grep", { pattern })).toMatchObject({
    outcome: "failed",
    output: expect.stringContaining(reason),
  });
});

test("a pattern without strict escapes still works", async () => {
  await scene.put("a.txt", "a-b_c");
  expect(await grep({ pattern: "a\\-b\\_c" })).toEqual(["a.txt", "1:a-b_c"]);
});

test("a pattern that would never end is ended, and nothing else waits for it", async () => {
  await scene.put("a.txt", "aaa\n");
  await scene.put("z.txt", `${"a".repeat(5000)}!\n`);
  const limits = { stuckAfterMs: 500, deadlineMs: 20_000 };
  const tool = grepTool(openSearchThreads({ idleMs: 0, ...limits }));
  const bound = tool.bind({ pattern: "(a+)+$" });
  if (!bound.ok) throw new Error(bound.message);
  const beganMs = cpuMs();
  const result = await bound.call.run(scene.context());
  expect(result.output).toContain('The pattern took too long in "z.txt"');
  // this thread had next to nothing to do with it
  expect(cpuMs() - beganMs).toBeLessThan(250);
});

test("a stop ends even a pattern that would never end", async () => {
  await scene.put("z.txt", `${"a".repeat(5000)}!\n`);
  const stop = new AbortController();
  const running = scene.call("grep", { pattern: "(a+)+$" }, stop.signal);
  await new Promise((resolve) => setTimeout(resolve, 400));
  stop.abort();
  expect(await running).toEqual({ outcome: "failed", output: "The search was stopped." });
});
