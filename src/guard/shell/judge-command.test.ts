import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Settings } from "../../contract/settings.ts";
import { openShellJudge } from "./judge-command.ts";

const workspace = mkdtempSync(join(tmpdir(), "steward-judge-"));
afterAll(() => rmSync(workspace, { recursive: true }));
mkdirSync(join(workspace, "src"));
for (const name of ["a.txt", "b.txt", "src/c.js"]) writeFileSync(join(workspace, name), "x");
const { judge, filesNamedIn } = openShellJudge(Settings.parse({}), workspace);

const whatIsShown: readonly [string, string | readonly string[]][] = [
  ["date", []],
  ["mkdir -p x && cd src && pwd", []],
  ["ls", ["."]],
  ["ls src | head -n 1", "anything"],
  ["echo *", ["."]],
  ["cat a.txt", ["a.txt"]],
  ["cat a.txt && rm a.txt", ["a.txt"]],
  ["sort *.txt | uniq", ["a.txt", "b.txt"]],
  ["grep -rn x src", "anything"],
  ["node src/c.js", "anything"],
  ["git log -p", "anything"],
  ["git status && date", "anything"],
];

test("an approval of git is bound to the same files whether or not a command runs meanwhile", () => {
  mkdirSync(join(workspace, "repo", ".git"), { recursive: true });
  writeFileSync(join(workspace, "repo", ".git", "HEAD"), "ref: refs/heads/main\n");
  const named = () => filesNamedIn("cd repo && git add -A && git commit -qm x");
  const before = named();
  mkdirSync(join(workspace, ".git"));
  expect([before.length, named()]).toEqual([4, before]);
});

test.each(whatIsShown)("whose words can be in the output of %j", (command, shown) => {
  const { reads } = judge(command);
  const inside = (path: string) => path.slice(workspace.length + 1) || ".";
  expect(typeof reads === "object" ? reads.map(inside).sort() : reads).toEqual(shown);
});
