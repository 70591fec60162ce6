import { expect, test } from "vitest";
import { whyKeep } from "./rules.ts";

test.each(["AGENTS.md", "./soul.MD", "/w/skills/a/SKILL.md", ".git/hooks/pre-commit", ".env"])(
  "%s is not replaced while a command runs, and is otherwise",
  (path) => {
    expect([whyKeep(path, "/w", 1), whyKeep(path, "/w", 0)]).toEqual([
      expect.stringContaining("while a command runs"),
      undefined,
    ]);
  },
);

test.each(["notes.txt", "MEMORY.md", "src/agents.md"])("%s may be replaced at any time", (path) => {
  expect(whyKeep(path, "/w", 3)).toBeUndefined();
});
