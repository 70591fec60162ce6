import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fileId } from "../names/file-id.ts";
import { openStandInStore } from "./stand-in-store.ts";
import { openStandIns } from "./stand-ins.ts";

function workspace(): string {
  const folder = mkdtempSync(join(tmpdir(), "steward-stand-ins-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("every protected name is there while a command runs, and gone after it", () => {
  const folder = workspace();
  const standIns = openStandIns();
  standIns.place(folder);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining([".env", ".git", ".npmrc", "AGENTS.md", "skills"]));
  standIns.release(folder);
  expect(readdirSync(folder)).toEqual([]);
});

test("the stand-ins stay until the last command has ended", () => {
  const folder = workspace();
  const standIns = openStandIns();
  standIns.place(folder);
  standIns.place(folder);
  standIns.release(folder);
  expect(readdirSync(folder)).toContain(".npmrc");
  standIns.release(folder);
  expect(readdirSync(folder)).toEqual([]);
});

test("what a killed Steward left behind goes with the next command", () => {
  const folder = workspace();
  openStandIns().place(folder);
  const next = openStandIns();
  next.place(folder);
  next.release(folder);
  expect(readdirSync(folder)).toEqual([]);
});

test("a file that the owner wrote while a command ran is kept", () => {
  const folder = workspace();
  const standIns = openStandIns();
  standIns.place(folder);
  writeFileSync(join(folder, "AGENTS.md"), "my rules");
  writeFileSync(join(folder, "skills", "mine.md"), "a skill");
  standIns.release(folder);
  expect(readdirSync(folder).sort()).toEqual(["AGENTS.md", "skills"]);
  expect(readFileSync(join(folder, "AGENTS.md"), "utf8")).toBe("my rules");
});

test("a stand-in that somebody cleared away is another one from then on", () => {
  const home = workspace();
  const folder = join(home, "workspace");
  mkdirSync(folder);
  const standIns = openStandIns(openStandInStore(join(home, "store")));
  const idOfPlaced = () => {
    const placed = standIns.place(folder);
    return placed.kind === "placed" ? placed.protections.find(({ name }) => name === ".npmrc") : placed;
  };
  const actual = () => ({ id: fileId(statSync(join(folder, ".npmrc"))) });
  for (const isClearedAway of [false, false, true, false, false]) {
    expect(idOfPlaced()).toMatchObject(actual());
    if (isClearedAway) rmSync(join(folder, ".npmrc"));
    standIns.release(folder);
  }
});

test("an empty file of the owner's own is kept", () => {
  const folder = workspace();
  writeFileSync(join(folder, "TOOLS.md"), "");
  const standIns = openStandIns();
  standIns.place(folder);
  standIns.release(folder);
  expect(readdirSync(folder)).toEqual(["TOOLS.md"]);
});

test("in a repository only settings, hooks and pointers to other folders are held", () => {
  const folder = workspace();
  mkdirSync(join(folder, ".git", "hooks"), { recursive: true });
  writeFileSync(join(folder, ".git", "config"), "");
  const placed = openStandIns().place(folder);
  const git = placed.kind === "placed" ? placed.protections.filter((one) => one.name.startsWith(".git")) : [];
  expect(git.map((one) => `${one.name} ${one.kind}`).sort()).toEqual([
    ".git writable",
    ".git/commondir read-only",
    ".git/config read-only",
    ".git/config.worktree read-only",
    ".git/hooks read-only",
    ".git/modules read-only",
    ".git/worktrees read-only",
  ]);
});

test("a protected name that is a link is refused, and the other stand-ins go again", () => {
  const folder = workspace();
  symlinkSync("/etc/passwd", join(folder, "skills"));
  expect(openStandIns().place(folder)).toMatchObject({
    kind: "refused",
    reason: expect.stringContaining("symbolic link"),
  });
  expect(readdirSync(folder)).toEqual(["skills"]);
});
