// What `npm test` itself promises: the closing line, the exit code, and no success without a test.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const repository = join(import.meta.dirname, "../..");
const passing = 'import { test } from "vitest";\ntest("fine", () => {});\n';
const failing =
  'import { expect, test } from "vitest";\ntest("fine", () => {});\ntest("not", () => expect(1).toBe(2));\n';
let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "steward-npm-test-"));
  cpSync(join(repository, "scripts"), join(project, "scripts"), { recursive: true });
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  // a lock file that wants nothing and npm's record of having installed it
  writeFileSync(join(project, "package-lock.json"), '{ "packages": {} }');
  mkdirSync(join(project, "node_modules"));
  writeFileSync(join(project, "node_modules", ".package-lock.json"), '{ "packages": {} }');
  for (const name of readdirSync(join(repository, "node_modules"))) {
    if (!name.startsWith(".")) symlinkSync(join(repository, "node_modules", name), join(project, "node_modules", name));
  }
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

test("a good run ends with the count alone on the last line", () => {
  writeFileSync(join(project, "a.test.ts"), passing);
  expect(npmTest()).toEqual({ code: 0, lastLine: "1 passed, 0 failed" });
});

test("a failing test fails the run and is counted", () => {
  writeFileSync(join(project, "a.test.ts"), failing);
  expect(npmTest()).toEqual({ code: 1, lastLine: "1 passed, 1 failed" });
});

test("each failed test is named with its file and its reason before the last line", () => {
  const grouped = `import { describe, expect, test } from "vitest";
describe("a group", () => test("fails", () => expect(1).toBe(2)));\n`;
  mkdirSync(join(project, "deep"));
  writeFileSync(join(project, "deep", "a.test.ts"), failing);
  writeFileSync(join(project, "b.test.ts"), grouped);
  writeFileSync(join(project, "c.test.ts"), 'import "./gone.ts";\n');
  const { lines } = runNpmTest();
  expect(lines.slice(-4, -1).toSorted()).toEqual([
    expect.stringMatching(/^failed: b\.test\.ts > a group > fails: AssertionError: expected 1 to be 2/),
    expect.stringMatching(/^failed: c\.test\.ts > the file itself: Error: Cannot find module .*gone\.ts/),
    expect.stringMatching(/^failed: deep\/a\.test\.ts > not: AssertionError: expected 1 to be 2/),
  ]);
  expect(lines.at(-1)).toBe("1 passed, 3 failed");
});

test("a test file that cannot be loaded counts as a failure", () => {
  writeFileSync(join(project, "a.test.ts"), passing);
  writeFileSync(join(project, "b.test.ts"), 'import "./gone.ts";\n');
  expect(npmTest()).toEqual({ code: 1, lastLine: "1 passed, 1 failed" });
});

test("an error outside of any test counts as a failure, and says what and where", () => {
  writeFileSync(join(project, "a.test.ts"), `${passing}setTimeout(() => { throw new Error("late"); });\n`);
  writeFileSync(join(project, "b.test.ts"), passing);
  const { code, lines } = runNpmTest();
  expect({ code, lastLine: lines.at(-1) }).toEqual({ code: 1, lastLine: "2 passed, 1 failed" });
  expect(lines.at(-2)).toMatch(/^failed: an error outside of any test: Error: late .*a\.test\.ts/);
});

test("a run without any test is a failure", () => {
  expect(npmTest()).toEqual({ code: 1, lastLine: "0 passed, 0 failed" });
});

test("skipped tests alone are no success", () => {
  writeFileSync(join(project, "a.test.ts"), passing);
  expect(npmTest("--testNamePattern=nothing is called so")).toEqual({ code: 1, lastLine: "0 passed, 0 failed" });
});

test("arguments choose what is run", () => {
  writeFileSync(join(project, "a.test.ts"), passing);
  writeFileSync(join(project, "b.test.ts"), failing);
  expect(npmTest("a.test.ts")).toEqual({ code: 0, lastLine: "1 passed, 0 failed" });
});

function npmTest(...args: readonly string[]): { code: number | null; lastLine: string | undefined } {
  const { code, lines } = runNpmTest(...args);
  return { code, lastLine: lines.at(-1) };
}

function runNpmTest(...args: readonly string[]): { code: number | null; lines: string[] } {
  const { VITEST: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, [join(project, "scripts", "test.mjs"), ...args], {
    cwd: project,
    encoding: "utf8",
    env,
  });
  return { code: status, lines: stdout.trimEnd().split("\n") };
}
