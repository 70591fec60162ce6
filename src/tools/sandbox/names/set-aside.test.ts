import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bytePath } from "./byte-path.ts";
import type { FoundName } from "./name-index.ts";
import { setAside } from "./set-aside.ts";

const memoryDisk = "/dev/shm";

/** A workspace with one file, and where it is to be set aside. */
function scene(path: string, asideIn = tmpdir()) {
  const workspace = mkdtempSync(join(tmpdir(), "steward-aside-"));
  const folder = mkdtempSync(join(asideIn, "steward-aside-"));
  onTestFinished(() => {
    for (const path of [workspace, folder]) rmSync(path, { recursive: true, force: true });
  });
  const file = join(workspace, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "x");
  return { workspace, folder, file };
}

function found(path: string, kind: FoundName["kind"]): FoundName {
  const told = { id: "1", folder: "2", isEmpty: false };
  return { path: bytePath(path), role: "obeyed", kind, ...told };
}

test("a path that is as long as a disk takes is set aside", () => {
  const room = 4_095 - join(tmpdir(), "steward-aside-123456").length - "/.npmrc".length;
  const names = Array.from({ length: Math.floor(room / 200) }, () => "d".repeat(199));
  const path = `${names.join("/")}/.npmrc`;
  const { workspace, folder } = scene(path);
  const judged = setAside(workspace, join(folder, "a".repeat(200)), found(path, "file"));
  expect(judged).toEqual({ kind: "set aside", to: join(folder, "a".repeat(200), ".npmrc") });
});

test.each(existsSync(memoryDisk) ? [tmpdir(), memoryDisk] : [tmpdir()])(
  "what nobody may read or write is moved to %s, and the folder around it is as before",
  (asideIn) => {
    const { workspace, folder, file } = scene("s/.husky/x", asideIn);
    chmodSync(file, 0);
    chmodSync(dirname(file), 0o555);
    chmodSync(join(workspace, "s"), 0o555);
    const judged = setAside(workspace, folder, found("s/.husky", "folder"));
    expect(judged).toEqual({ kind: "set aside", to: join(folder, ".husky") });
    expect([existsSync(file), statSync(join(workspace, "s")).mode & 0o777]).toEqual([false, 0o555]);
    const moved = join(folder, ".husky", basename(file));
    chmodSync(moved, 0o600);
    expect(readFileSync(moved, "utf8")).toBe("x");
  },
);

test("a place for it that cannot be made is not taken for a name that has gone", () => {
  const { workspace, folder } = scene("p/.npmrc");
  writeFileSync(join(folder, "file"), "");
  expect(() => setAside(workspace, join(folder, "file", "x"), found("p/.npmrc", "file"))).toThrow("cannot be made");
});
