import { expect, test } from "vitest";
import { downloadNames } from "./save-download.ts";

test.each([
  ["report.csv", "report.csv"],
  ["../../etc/passwd", "_.._etc_passwd"],
  [".bashrc", "bashrc"],
  ["-rf", "rf"],
  ["~", "download"],
  ["", "download"],
  ["...", "download"],
  ["a\u0000b\u202egnp.exe", "abgnp.exe"],
  ["C:\\Windows\\x.dll", "C__Windows_x.dll"],
  ["notes.a very long ending indeed", "notes.a very long ending indeed"],
])("the name %j becomes %j", (suggested, name) => {
  expect(downloadNames(suggested).next().value).toBe(name);
});

test("a long name keeps its ending and fits", () => {
  const name = downloadNames(`${"ü".repeat(300)}.pdf`).next().value ?? "";
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(110);
  expect(name.endsWith("ü.pdf")).toBe(true);
});

test("the same name again gets a number before its ending", () => {
  expect([...downloadNames("a.tar")].slice(0, 3)).toEqual(["a.tar", "a-2.tar", "a-3.tar"]);
});
