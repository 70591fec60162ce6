import { open, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openScene, type Scene } from "../../../tests/scenes/workspace-scene.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.remove());

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

test("lines come with their numbers", async () => {
  await scene.put("a.txt", "one\ntwo\n\nfour");
  expect(await scene.call("read", { path: "a.txt" })).toEqual({
    outcome: "done",
    output: "     1\tone\n     2\ttwo\n     3\t\n     4\tfour",
  });
});

test("an absolute path beneath the workspace can be read", async () => {
  const path = await scene.put("deep/er/a.txt", "one\n");
  expect((await scene.call("read", { path })).output).toBe("     1\tone");
});

test("line endings and the byte order mark are not shown", async () => {
  await scene.put("a.txt", "\ufeffone\r\ntwo\r\n");
  expect((await scene.call("read", { path: "a.txt" })).output).toBe("     1\tone\n     2\ttwo");
});

test("offset and limit choose a range, and the result says how to go on", async () => {
  await scene.put("a.txt", "1\n2\n3\n4\n5\n");
  expect((await scene.call("read", { path: "a.txt", offset: 2, limit: 2 })).output).toBe(
    "     2\t2\n     3\t3\n[The file has more lines: go on with offset 4.]",
  );
  expect((await scene.call("read", { path: "a.txt", offset: 4, limit: 2 })).output).toBe("     4\t4\n     5\t5");
});

test("without a limit 2,000 lines are shown", async () => {
  await scene.put("a.txt", "x\n".repeat(2001));
  const lines = (await scene.call("read", { path: "a.txt" })).output.split("\n");
  expect(lines.slice(-2)).toEqual(["  2000\tx", "[The file has more lines: go on with offset 2001.]"]);
});

test("an offset behind the end says how many lines there are", async () => {
  await scene.put("a.txt", "1\n2\n");
  expect(await scene.call("read", { path: "a.txt", offset: 9 })).toEqual({
    outcome: "failed",
    output: '"a.txt" has only 2 lines; there is no line 9.',
  });
});

test("an empty file is called empty", async () => {
  await scene.put("a.txt", "");
  expect((await scene.call("read", { path: "a.txt" })).output).toBe('"a.txt" is empty (0 bytes).');
});

test("a long line is cut with a mark and never in the middle of a character", async () => {
  await scene.put("a.txt", `${"x".repeat(1999)}😀${"y".repeat(5000)}\nnext`);
  const [first, second] = (await scene.call("read", { path: "a.txt" })).output.split("\n");
  expect(first).toBe(`     1\t${"x".repeat(1999)}… [line cut: it has 7004 bytes]`);
  expect(second).toBe("     2\tnext");
});

test("the whole answer stays below 100 KB and can be continued", async () => {
  await scene.put("a.txt", `${"é".repeat(900)}\n`.repeat(200));
  const { output } = await scene.call("read", { path: "a.txt" });
  expect(Buffer.byteLength(output)).toBeLessThanOrEqual(100 * 1024);
  const next = Number(/offset (\d+)/.exec(output)?.[1]);
  expect(output).toContain(`${String(next - 1).padStart(6)}\t`);
  expect((await scene.call("read", { path: "a.txt", offset: next, limit: 1 })).output).toContain("é");
});

test("a range at the end of a 1 GB file is read without loading it", async () => {
  const handle = await open(await scene.put("huge.log", "filler\n".repeat(2000)), "r+");
  const size = 1024 ** 3;
  await handle.write("\nlast but one\nlast\n", size);
  await handle.close();
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  const { output } = await scene.call("read", { path: "huge.log", offset: 2001 });
  clearInterval(watch);
  expect(output).toMatch(
    /^ {2}2001\t\u2400{2000}… \[line cut: it has 1073727825 bytes\]\n {2}2002\tlast but one\n {2}2003\tlast$/,
  );
  expect(peak - before).toBeLessThan(32 * 1024 * 1024);
});

test("a reading that is stopped ends with a sentence", async () => {
  await scene.put("a.txt", "x\n");
  expect(await scene.call("read", { path: "a.txt" }, AbortSignal.abort())).toEqual({
    outcome: "failed",
    output: '"a.txt" was not read to the end: the call was stopped.',
  });
});

test("text in an old encoding is shown with a warning", async () => {
  await scene.put("a.txt", Buffer.from("gr\xfc\xdfe\n", "latin1"));
  expect((await scene.call("read", { path: "a.txt" })).output).toBe(
    "     1\tgr\ufffd\ufffde\n[Some bytes are not UTF-8 and are shown as \ufffd.]",
  );
});

test.each([
  ["doc.txt", Buffer.from("%PDF-1.7\n"), "PDF document, 9 bytes"],
  ["a.bin", Buffer.from([1, 2, 0, 4]), "unknown type, 4 bytes"],
  ["noise", Buffer.from(Array.from({ length: 64 }, (_, index) => 1 + (index % 8))), "unknown type, 64 bytes"],
  ["w.txt", Buffer.from("\ufeffhello", "utf16le"), "UTF-16 text, 12 bytes"],
])("%s is not text, and the answer says what it is", async (name, content, expected) => {
  await scene.put(name, content);
  expect(await scene.call("read", { path: name })).toMatchObject({
    outcome: "done",
    output: expect.stringContaining(`is not text (${expected})`),
  });
});

test.each([
  ["image/png", png],
  ["image/jpeg", Buffer.from("ffd8ffe000104a46", "hex")],
  ["image/gif", Buffer.from("GIF89a\x01\x00", "latin1")],
  ["image/webp", Buffer.from("RIFF\x0a\x00\x00\x00WEBPVP8 ", "latin1")],
])("%s is recognised by its bytes and attached for the model to see", async (mediaType, data) => {
  await scene.put("picture.txt", data);
  const { outcome, attachments } = await scene.call("read", { path: "picture.txt" });
  expect({ outcome, attachments }).toEqual({
    outcome: "done",
    attachments: [{ mediaType, name: "picture.txt", data }],
  });
});

test("an image above 5 MB is described, not attached", async () => {
  await scene.put("big.png", Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]));
  const result = await scene.call("read", { path: "big.png" });
  expect(result.output).toBe(
    '"big.png" is a PNG image of 5242896 bytes; only images up to 5242880 bytes can be shown. Make a smaller copy.',
  );
  expect(result.attachments).toBeUndefined();
});

test("a missing file brings up names that look like it", async () => {
  await scene.put("docs/readme.md", "x");
  await scene.put("docs/other.txt", "x");
  expect((await scene.call("read", { path: "docs/REDME.md" })).output).toBe(
    '"docs/REDME.md" does not exist. Did you mean "readme.md"?',
  );
  expect((await scene.call("read", { path: "dcos/readme.md" })).output).toBe(
    '"dcos" does not exist. Did you mean "docs"?',
  );
  expect((await scene.call("read", { path: "zzz" })).output).toBe(
    '"zzz" does not exist. Use list to see what is there.',
  );
});

test("a dangling link is called a link, not a missing file", async () => {
  await symlink("nowhere", join(scene.workspace, "dangling"));
  expect((await scene.call("read", { path: "dangling" })).output).toContain("is a symbolic link");
});
