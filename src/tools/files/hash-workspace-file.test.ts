import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import { openStandIns } from "../sandbox/stand-ins/stand-ins.ts";
import { hashWorkspaceFile } from "./hash-workspace-file.ts";

async function workspaceWith(files: number): Promise<string> {
  const workspace = await temporaryFolder();
  for (let count = 0; count < files; count++) {
    mkdirSync(join(workspace, `d${count % 7}`), { recursive: true });
    writeFileSync(join(workspace, `d${count % 7}`, `f${count}`), "x");
  }
  return workspace;
}

test("a whole workspace has the same word until something in it changes", async () => {
  const workspace = await workspaceWith(500);
  const before = await hashWorkspaceFile(workspace, ".");
  expect(await hashWorkspaceFile(workspace, ".")).toBe(before);
  writeFileSync(join(workspace, "d3", "f3"), "longer");
  expect(await hashWorkspaceFile(workspace, ".")).not.toBe(before);
});

test("where there is too much to look through, nothing can be bound to it", async () => {
  const workspace = await workspaceWith(20);
  expect(await hashWorkspaceFile(workspace, ".", 10)).not.toBe(await hashWorkspaceFile(workspace, ".", 10));
});

test("files that vanish meanwhile do not make the workspace count as absent", async () => {
  const workspace = await workspaceWith(2_000);
  const hashing = hashWorkspaceFile(workspace, ".");
  await setTimeout(8);
  for (const folder of readdirSync(workspace)) rmSync(join(workspace, folder), { recursive: true });
  expect(await hashing).not.toBe("absent");
});

test.each([".", ".git", ".git/config.worktree", ".npmrc"])(
  "that a command runs changes nothing about %s",
  async (path) => {
    const workspace = await workspaceWith(5);
    mkdirSync(join(workspace, ".git"));
    const before = await hashWorkspaceFile(workspace, path);
    const standIns = openStandIns();
    standIns.place(workspace);
    expect(await hashWorkspaceFile(workspace, path)).toBe(before);
    writeFileSync(join(workspace, ".npmrc"), "mine");
    writeFileSync(join(workspace, ".git", "config.worktree"), "[core]");
    expect(await hashWorkspaceFile(workspace, path)).not.toBe(before);
  },
);

test("what is not there is absent", async () => {
  expect(await hashWorkspaceFile(await temporaryFolder(), "none")).toBe("absent");
});

// root reads everything
if (process.getuid?.() !== 0)
  test("nothing can be bound to a workspace with a folder that cannot be read", async () => {
    const workspace = await workspaceWith(20);
    chmodSync(join(workspace, "d3"), 0o300);
    expect(await hashWorkspaceFile(workspace, ".")).not.toBe(await hashWorkspaceFile(workspace, "."));
    chmodSync(join(workspace, "d3"), 0o700);
  });
