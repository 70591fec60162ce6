import { expect, test } from "vitest";
import type { Protection } from "../stand-ins/stand-ins.ts";
import { holdsProtections, mountsIn } from "./box-mounts.ts";

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
