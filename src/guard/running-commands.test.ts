import { expect, test } from "vitest";
import { openRunningCommands } from "./running-commands.ts";

test.each(["AGENTS.md", "./soul.MD", "/w/skills/a/SKILL.md", ".git/hooks/pre-commit", ".env"])(
  "%s is not replaced while a command runs, and is otherwise",
  (path) => {
    const commands = openRunningCommands("/w");
    const ended = commands.started();
    const during = commands.whyKeep(path);
    ended();
    expect([during, commands.whyKeep(path)]).toEqual([expect.stringContaining("while a command runs"), undefined]);
  },
);

test.each(["notes.txt", "MEMORY.md", "src/agents.md"])("%s may be replaced at any time", (path) => {
  const commands = openRunningCommands("/w");
  commands.started();
  expect(commands.whyKeep(path)).toBeUndefined();
});
