import { expect, test } from "vitest";
import { ownPart, protectedPart, repositoryPart, secretPart } from "./protected-paths.ts";

test("a name is protected wherever it stands, and so is what lies in it", () => {
  expect(protectedPart("a/b/.git/hooks/x", false)).toBe("a/b/.git/hooks");
  expect(protectedPart("a/GIT~1/config", false)).toBe("a/GIT~1/config");
  expect(protectedPart("a/.VSCode", false)).toBe("a/.VSCode");
  expect(protectedPart("a/git/config.ts", false)).toBeUndefined();
});

test("what an interrupted git left behind may be removed, and nothing else of it", () => {
  expect(protectedPart("a/.git/index.lock", true)).toBeUndefined();
  expect(protectedPart("a/.git/index.lock", false)).toBeDefined();
  expect(protectedPart("a/.git/config", true)).toBeDefined();
});

test("the files of the assistant are its own on top of the workspace only", () => {
  expect([ownPart("agents.md"), ownPart("skills/a"), ownPart("docs/AGENTS.md")]).toEqual([
    "agents.md",
    "skills",
    undefined,
  ]);
});

test("secrets are known by the file's name at the end and by a folder's name on the way", () => {
  expect([secretPart("a/.env"), secretPart("a/.ssh/b"), secretPart(".env/lib/a.py")]).toEqual([
    "a/.env",
    "a/.ssh",
    undefined,
  ]);
});

test.each([
  ["r/config", ["r/HEAD", "r/objects", "r/refs"], "r/config"],
  ["r/hooks/x", ["r/HEAD", "r/objects", "r/refs"], "r/hooks"],
  ["r/HEAD", ["r/objects", "r/refs"], "r/HEAD"],
  ["HEAD", ["objects", "refs"], "HEAD"],
  ["r/refs/heads/x", ["r/HEAD", "r/objects"], "r/refs"],
  ["r/HEAD", ["r/objects", "r/refs", "r/HEAD"], undefined],
  ["r/config", ["r/HEAD", "r/objects"], undefined],
  ["r/config.worktree", ["r/HEAD", "r/commondir"], "r/config.worktree"],
  ["r/HEAD", ["r/commondir"], "r/HEAD"],
  ["r/commondir", ["r/HEAD"], "r/commondir"],
  ["r/c/config", ["r/c/objects", "r/c/refs"], "r/c/config"],
  ["r/c/refs/x", ["r/c/objects"], "r/c/refs"],
  ["r/objects/ab/cd", ["r/objects", "r/refs"], undefined],
  ["src/config", [], undefined],
])("%s beside %j: part of a repository is %s", (path, there, part) => {
  expect(repositoryPart(path, (other) => there.includes(other))).toBe(part);
});
