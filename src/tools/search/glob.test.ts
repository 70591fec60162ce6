import { expect, test } from "vitest";
import { cpuMs } from "../../../tests/scenes/cpu-time.ts";
import { namedFolders, readGlob } from "./glob.ts";

const paths = [
  ".hidden",
  "a.ts",
  "a.test.ts",
  "b.md",
  "src",
  "src/a.ts",
  "src/deep/a.ts",
  "src/deep/[id].ts",
  "src/é?.md",
];

test.each([
  ["*.ts", ["a.ts", "a.test.ts", "src/a.ts", "src/deep/a.ts", "src/deep/[id].ts"]],
  ["a.ts", ["a.ts", "src/a.ts", "src/deep/a.ts"]],
  ["./a.ts", ["a.ts", "src/a.ts", "src/deep/a.ts"]],
  ["src/*.ts", ["src/a.ts"]],
  ["src/**", ["src/a.ts", "src/deep/a.ts", "src/deep/[id].ts", "src/é?.md"]],
  ["src/**/a.ts", ["src/a.ts", "src/deep/a.ts"]],
  ["**/deep/*", ["src/deep/a.ts", "src/deep/[id].ts"]],
  ["**", paths],
  ["?.md", ["b.md"]],
  ["??.md", ["src/é?.md"]],
  ["{a,b}.{ts,md}", ["a.ts", "b.md", "src/a.ts", "src/deep/a.ts"]],
  ["{src/,}a.ts", ["a.ts", "src/a.ts", "src/deep/a.ts"]],
  ["src/{deep/{a,b},x}.ts", ["src/deep/a.ts"]],
  ["[id].ts", ["src/deep/[id].ts"]],
  [".*", [".hidden"]],
  ["!.*", paths.slice(1)],
  ["!**/deep/**", paths.filter((path) => !path.includes("deep/"))],
  ["{a", []],
  ["A.ts", []],
])("%s finds what it should", (pattern, expected) => {
  const glob = readGlob(pattern);
  expect("refused" in glob ? glob.refused : paths.filter((path) => glob.matches(path))).toEqual(expected);
});

test.each([
  ["", "is empty"],
  ["!", "is empty"],
  ["{a,b}".repeat(9), "more than 256 patterns"],
  ["a".repeat(1001), "more than 1000 characters"],
])("the pattern %j is refused with a reason", (pattern, reason) => {
  expect(readGlob(pattern)).toEqual({ refused: expect.stringContaining(reason) });
});

test("a pattern made to be slow is not", () => {
  const glob = readGlob(`${"*a".repeat(100)}*b`);
  const folders = readGlob(`${"**/a/".repeat(100)}b`);
  if ("refused" in glob || "refused" in folders) throw new Error("the patterns are allowed");
  const beganMs = cpuMs();
  const matches = [glob.matches("a".repeat(255)), folders.matches(`${"a/".repeat(2000)}c`)];
  expect(matches).toEqual([false, false]);
  expect(cpuMs() - beganMs).toBeLessThan(500);
});

test("the folders that a pattern spells out are known", () => {
  expect(namedFolders("!{node_modules,x}/**")).toEqual(expect.arrayContaining(["node_modules", "x"]));
});
