import { expect, test } from "vitest";
import { spellOutQuestion } from "../../contract/words/spell-out.ts";
import { explainVerdict } from "./explain-verdict.ts";

test("a refusal names the part, the rule and what to do", () => {
  const text = explainVerdict("cat /etc/passwd", {
    verdict: "deny",
    rule: "path",
    reason: 'cat would read "/etc/passwd", outside the workspace',
  });
  expect(text).toBe(
    'Refused: cat /etc/passwd\nBecause: cat would read "/etc/passwd", outside the workspace.\n' +
      "Rule: Files must lie in the workspace.\n" +
      "What to do: Use a path inside the workspace, or add the folder to sandbox.readDirs or sandbox.writeDirs in the settings.",
  );
});

test("a question is put as a question, not as a refusal", () => {
  const text = explainVerdict("make", {
    verdict: "ask",
    rule: "command",
    reason: '"make" is not on the list of commands',
  });
  expect(text).toMatch(/^Needs your approval: make\n/);
});

test("characters that cannot be seen are spelled out", () => {
  const text = explainVerdict("echo \u202eabc", { verdict: "deny", rule: "parse", reason: "it holds U+202E" });
  expect(text.split("\n")[0]).toBe("Refused: echo \\u{202e}abc");
});

test("what passes for something else is spelled out too, as in a question", () => {
  const command = "curl https://pаypal.com@evil.example/x; echo \u0301a";
  const text = explainVerdict(command, { verdict: "ask", rule: "command", reason: "p\u0430ypal is not known" });
  expect(text.split("\n").slice(0, 2)).toEqual([
    `Needs your approval: ${spellOutQuestion(command)}`,
    "Because: p\\u{430}ypal is not known.",
  ]);
  expect(text).toContain("(evil.example)");
});

test("a long command is shown to its end", () => {
  const command = `echo ${"a".repeat(5000)}; rm -rf src`;
  expect(explainVerdict(command, { verdict: "ask", rule: "command", reason: "x" })).toContain("; rm -rf src");
});
