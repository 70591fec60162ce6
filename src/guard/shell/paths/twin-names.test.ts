import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../tests/scenes/temporary-folder.ts";
import { type FileLookup, realFileLookup } from "./file-lookup.ts";
import { hasMountsInside, protectedTwin } from "./twin-names.ts";

async function scene(): Promise<string> {
  const root = await temporaryFolder();
  for (const folder of ["skills", "project/copy", "other"]) mkdirSync(join(root, folder), { recursive: true });
  for (const file of ["AGENTS.md", "project/.env", "plain.txt", "skills/a.md", "project/copy/a.md"])
    writeFileSync(join(root, file), file);
  return root;
}

/** As if one folder were mounted at the place of another, which takes rights that tests do not have. */
function mounted(from: string, to: string): FileLookup {
  return { ...realFileLookup, facts: (path) => realFileLookup.facts(path === to ? from : path) };
}

test("a hard link is known for the protected file that it is, at any depth", async () => {
  const root = await scene();
  linkSync(join(root, "AGENTS.md"), join(root, "other/x.txt"));
  linkSync(join(root, "project/.env"), join(root, "y.txt"));
  linkSync(join(root, "plain.txt"), join(root, "z.txt"));
  const twin = (path: string) => protectedTwin(realFileLookup, root, join(root, path), false);
  expect(twin("other/x.txt")).toEqual({ kind: "found", path: "AGENTS.md" });
  expect(twin("y.txt")).toEqual({ kind: "found", path: "project/.env" });
  expect(twin("z.txt")).toEqual({ kind: "none" });
  expect(twin("missing.txt")).toEqual({ kind: "none" });
});

test("among too many files another name stays unknown", async () => {
  const root = await scene();
  linkSync(join(root, "plain.txt"), join(root, "z.txt"));
  const readdir = (path: string) => (path === root ? ["AGENTS.md", ...Array(6000).fill("plain.txt")] : []);
  expect(protectedTwin({ ...realFileLookup, readdir }, root, join(root, "z.txt"), false)).toEqual({ kind: "unknown" });
});

test("what lies in a folder that is mounted twice is what lies in the protected one", async () => {
  const root = await scene();
  const files = mounted(join(root, "skills"), join(root, "project/copy"));
  const twin = (hasMounts: boolean) => protectedTwin(files, root, join(root, "project/copy/a.md"), hasMounts);
  expect(twin(true)).toEqual({ kind: "found", path: "skills" });
  expect(twin(false)).toEqual({ kind: "none" });
});

test("a folder in which nothing is mounted says so", async () => {
  expect(hasMountsInside(await temporaryFolder())).toBe(process.platform !== "linux");
  expect(hasMountsInside("")).toBe(true);
});
