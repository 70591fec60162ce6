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
import { holdsProtections, mountsIn, openStandIns, type Protection } from "./stand-ins.ts";

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

const protections: readonly Protection[] = [
  { kind: "read-only", name: "AGENTS.md" },
  { kind: "hidden", name: ".env" },
  { kind: "writable", name: ".git" },
  { kind: "text", name: ".git/info/exclude", text: "/skills" },
];
const lines = [
  "30 29 8:1 /w /my\\040work rw,nosuid,nodev,relatime - ext4 /dev/sda rw",
  "31 30 8:1 /w/AGENTS.md /my\\040work/AGENTS.md ro,nosuid,nodev,relatime master:1 - ext4 /dev/sda rw",
  "32 30 0:44 /bindfile /my\\040work/.env ro,nosuid,nodev,relatime - tmpfs tmpfs rw",
  "33 30 8:1 /w/.git /my\\040work/.git rw,nosuid,nodev,relatime - ext4 /dev/sda rw",
  "34 33 0:44 /bindfile /my\\040work/.git/info/exclude ro,nosuid,nodev,relatime - tmpfs tmpfs rw",
];

const holds = (list: readonly string[]) => holdsProtections(mountsIn(`${list.join("\n")}\n`), "/my work", protections);

test("a box with all its mounts holds", () => {
  expect(holds(lines)).toBe(true);
});

test.each(protections.map(({ name }, position) => ({ name, position: position + 1 })))(
  "a box that has lost the mount on $name does not hold",
  ({ position }) => {
    expect(holds(lines.toSpliced(position, 1))).toBe(false);
  },
);

test("a mount that can be written to does not hold", () => {
  expect(holds(lines.map((line) => line.replace("AGENTS.md ro,", "AGENTS.md rw,")))).toBe(false);
});

test("a mount of the same name in another folder does not count", () => {
  expect(holds(lines.map((line) => line.replace("/my\\040work/AGENTS.md", "/my\\040work/sub/AGENTS.md")))).toBe(false);
});

test("a box whose mounts cannot be read does not hold", () => {
  expect(holds([])).toBe(false);
});
