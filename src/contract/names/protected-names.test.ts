import { expect, test } from "vitest";
import { foldName, isSecretName } from "./protected-names.ts";

test.each([
  ["AGENTS.md", "agents.md"],
  ["AGENT\u017f.md", "agents.md"],
  ["\uff21gents.md", "agents.md"],
  ["a\u0301.md", "á.md"],
  [".g\u200cit", ".git"],
  [".git.", ".git"],
  [".git . ", ".git"],
  [".git::$INDEX_ALLOCATION", ".git"],
  [".env. ::$DATA", ".env"],
  ["..", ".."],
  [".", "."],
  [":", ":"],
])("%j is the same name as %j where a disk folds names", (name, folded) => {
  expect(foldName(name)).toBe(folded);
});

test.each([".env", ".ENV", ".env.local", ".env-prod", ".env~", "#.env#", ".#.env", "..env.swp", "id_rsa", ".netrc"])(
  "%s holds secrets",
  (name) => {
    expect(isSecretName(name)).toBe(true);
  },
);

test.each([".env.example", ".env.sample", ".env-template", ".envrc", "env", "environment.ts", "id_rsa.pub", ".npmrc"])(
  "%s holds none",
  (name) => {
    expect(isSecretName(name)).toBe(false);
  },
);

test("a folder is secret by its own name only: .env is what some call their Python", () => {
  expect([isSecretName(".ssh", "folder"), isSecretName(".env", "folder")]).toEqual([true, false]);
});
