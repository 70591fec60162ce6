import { expect, test } from "vitest";
import { openRunningCommands } from "./running-commands.ts";

const kept = [
  "AGENTS.md",
  "./soul.MD",
  "/w/skills/a/SKILL.md",
  ".git/hooks/pre-commit",
  ".env",
  "MEMORY.md",
  "user.md",
];
const keptBelow = ["a/b/.env", "a/.env.local", "a/b/.git/config", "a/.npmrc", "a/.husky/pre-commit"];

test.each([...kept, ...keptBelow])("%s is not replaced while a command runs, and is otherwise", (path) => {
  const commands = openRunningCommands("/w");
  const ended = commands.started();
  const during = commands.whyKeep(path);
  ended();
  expect([during, commands.whyKeep(path)]).toEqual([expect.stringContaining("while a command runs"), undefined]);
});

test.each(["notes.txt", "memory/today.md", "src/agents.md", "src/MEMORY.md"])(
  "%s may be replaced at any time",
  (path) => {
    const commands = openRunningCommands("/w");
    commands.started();
    expect(commands.whyKeep(path)).toBeUndefined();
  },
);
