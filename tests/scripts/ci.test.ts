// What `.ci/run` promises: both runs happen, the end names what failed, and the last line counts everything.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const repository = join(import.meta.dirname, "../..");
const says = (...lines: readonly string[]) => lines.map((line) => `echo '${line}'`).join("; ");

type Scripts = { check?: string; test: string; "test:long": string };

/** The real script over a project whose commands only say what such commands say. */
async function runIn(scripts: Scripts, readme = "```sh\nnpm test\n```\n") {
  const project = await temporaryFolder();
  mkdirSync(join(project, ".ci"));
  cpSync(join(repository, ".ci/run"), join(project, ".ci/run"));
  writeFileSync(join(project, "README.md"), readme);
  writeFileSync(join(project, "package.json"), JSON.stringify({ scripts: { check: "true", ...scripts } }));
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t.example", ...args], { cwd: project });
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "all");
  const { status, stdout } = spawnSync(join(project, ".ci/run"), { encoding: "utf8" });
  return { code: status, lines: stdout.trimEnd().split("\n") };
}

test("the last line is the sum of both runs", async () => {
  const { code, lines } = await runIn({ test: says("3 passed, 0 failed"), "test:long": says("2 passed, 0 failed") });
  expect([code, lines.at(-1)]).toEqual([0, "5 passed, 0 failed"]);
});

test("what failed in either run is named right before the last line", async () => {
  const { code, lines } = await runIn({
    test: `${says("failed: a.test.ts > one", "3 passed, 1 failed")}; exit 1`,
    "test:long": `${says("failed: b.test.ts > two", "2 passed, 1 failed")}; exit 1`,
  });
  expect(code).toBe(1);
  expect(lines.slice(-3)).toEqual(["failed: a.test.ts > one", "failed: b.test.ts > two", "5 passed, 2 failed"]);
});

test("a run that ends without its count has failed", async () => {
  const { code, lines } = await runIn({ test: says("3 passed, 0 failed"), "test:long": "exit 0" });
  expect([code, lines.at(-1)]).toEqual([1, "3 passed, 1 failed"]);
});

test("a run that fails and counts no failure fails all the same", async () => {
  const { code } = await runIn({
    test: `${says("3 passed, 0 failed")}; exit 1`,
    "test:long": says("1 passed, 0 failed"),
  });
  expect(code).toBe(1);
});

test("without sound sources, or without a test command in the README, no test is run", async () => {
  const scripts = { test: says("3 passed, 0 failed"), "test:long": says("2 passed, 0 failed") };
  for (const { code, lines } of [await runIn({ ...scripts, check: "false" }), await runIn(scripts, "No command.")]) {
    expect([code, lines]).toEqual([1, ["0 passed, 1 failed"]]);
  }
});

test("every test file that takes a sample has the name by which the long run finds it", () => {
  const files = readdirSync(join(repository, "tests"), { recursive: true, encoding: "utf8" });
  const sampled = files.filter(
    (file) =>
      file.endsWith(".test.ts") && /scenes\/sample\.ts"/.test(readFileSync(join(repository, "tests", file), "utf8")),
  );
  expect(sampled.length).toBeGreaterThan(0);
  expect(sampled.filter((file) => !file.endsWith(".sampled.test.ts"))).toEqual([]);
});
