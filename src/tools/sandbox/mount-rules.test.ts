import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { checkMount, checkWorkspace } from "./mount-rules.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "steward-mounts-")));
const userHome = join(base, "person");
const stewardHome = join(userHome, ".steward");
const places = { stewardHome, userHome };
for (const folder of [
  "projects",
  "projects-of-others",
  ".ssh",
  ".aws",
  ".gnupg",
  ".config/app",
  ".steward/workspace/sub",
  ".steward/groups/family",
  ".steward/data",
])
  mkdirSync(join(userHome, folder), { recursive: true });
writeFileSync(join(stewardHome, "config.json"), "{}");
symlinkSync(join(userHome, ".ssh"), join(userHome, "projects", "keys"));
symlinkSync(base, join(userHome, "projects", "up"));
afterAll(() => rmSync(base, { recursive: true }));

const inHome = (path: string) => join(userHome, path);

test("an ordinary folder may be shown", () => {
  expect(checkMount(places, inHome("projects"))).toEqual({ kind: "allowed", path: inHome("projects") });
});

test("a folder may be written as settings write it, and is judged like any other", () => {
  expect(checkMount(places, "~/projects")).toEqual({ kind: "allowed", path: inHome("projects") });
  expect(checkMount(places, "~/.ssh")).toMatchObject({ kind: "denied" });
});

test.each([
  ["/", "the whole machine"],
  ["/etc", "lies in /etc"],
  ["/proc", "lies in /proc"],
  ["/sys", "lies in /sys"],
  ["/dev", "lies in /dev"],
  ["/run", "lies in /run"],
  ["/var", "it contains"],
  ["relative", "not an absolute path"],
  [inHome("."), "the whole home folder"],
  [base, "it contains"],
  [inHome(".ssh"), "lies in"],
  [inHome(".aws"), "lies in"],
  [inHome(".gnupg"), "lies in"],
  [inHome(".config/app"), "lies in"],
  [inHome(".steward"), "lies in"],
  [inHome(".steward/workspace"), "lies in"],
  [inHome(".steward/config.json"), "lies in"],
  [inHome("projects/keys"), "lies in"],
  [inHome("projects/up"), "it contains"],
  [inHome("nothing-here"), "does not exist"],
])("%s may not be shown to commands", (path, reason) => {
  expect(checkMount(places, path)).toMatchObject({ kind: "denied", reason: expect.stringContaining(reason) });
});

test("a socket may not be shown, wherever it lies", async () => {
  const path = inHome("projects/s");
  const server = createServer().listen(path);
  await new Promise((resolve) => server.once("listening", resolve));
  expect(checkMount(places, path)).toMatchObject({ reason: expect.stringContaining("neither a folder nor a file") });
  server.close();
});

test("a folder whose name only begins like a denied one may be shown", () => {
  mkdirSync(inHome(".ssh-notes"));
  expect(checkMount(places, inHome(".ssh-notes")).kind).toBe("allowed");
});

test.each([".steward/workspace", ".steward/workspace/sub", ".steward/groups/family", "projects"])(
  "%s may be a workspace",
  (path) => {
    expect(checkWorkspace(places, inHome(path))).toEqual({ kind: "allowed", path: inHome(path) });
  },
);

test.each([".steward", ".steward/groups", ".steward/data", ".", "..", ".ssh"])("%s may not be a workspace", (path) => {
  expect(checkWorkspace(places, inHome(path)).kind).toBe("denied");
});

test("data that lie on another disk, behind a link, are never shown", () => {
  const other = join(base, "other-steward");
  const disk = join(base, "disk");
  for (const folder of [other, join(disk, "data"), join(disk, "photos")]) mkdirSync(folder, { recursive: true });
  symlinkSync(join(disk, "data"), join(other, "data"));
  const apart = { stewardHome: other, userHome };
  expect(checkMount(apart, join(disk, "photos"))).toMatchObject({ kind: "allowed" });
  for (const path of [disk, join(disk, "data")])
    for (const check of [checkMount, checkWorkspace]) expect(check(apart, path)).toMatchObject({ kind: "denied" });
});
