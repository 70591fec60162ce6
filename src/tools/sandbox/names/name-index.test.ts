import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { type NameIndexDeps, openNameIndex } from "./name-index.ts";

const usual = {
  mostWatched: 100,
  mostFolders: 1_000,
  mostUnheard: 1_000,
  nowMs: Date.now,
  onReplaced: () => {},
  onWritten: () => {},
  onMissed: () => {},
  ignored: new Set<string>(),
  isStandIn: () => false,
};

/** A workspace with these files, and looks at it after everything has been heard. */
function scene(files: readonly string[], change: Partial<NameIndexDeps> = {}) {
  const workspace = mkdtempSync(join(tmpdir(), "steward-names-"));
  const index = openNameIndex(workspace, { ...usual, ...change });
  onTestFinished(() => {
    index.close();
    rmSync(workspace, { recursive: true });
  });
  const at = (path: string) => join(workspace, path);
  const write = (path: string, text = "x") => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  for (const file of files) write(file);
  const look = async () => {
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    return index.look();
  };
  const paths = async () => (await look()).map(({ path, role }) => `${role} ${path}`).sort();
  return { at, write, look, paths };
}

const ways: readonly [string, Partial<NameIndexDeps>][] = [
  ["watched", {}],
  ["looked through", { mostWatched: 0 }],
  ["watched in part", { mostWatched: 2 }],
  ["told too much at once", { mostUnheard: 1 }],
];

test.each(ways)("what comes, goes and moves is found in folders that are %s", async (_name, change) => {
  const { paths, write, at } = scene(["a/b/.npmrc", "a/.env", "c/plain"], change);
  expect(await paths()).toEqual(["obeyed a/b/.npmrc", "secret a/.env"]);
  write("c/d/e/.envrc");
  expect(await paths()).toEqual(["obeyed a/b/.npmrc", "obeyed c/d/e/.envrc", "secret a/.env"]);
  renameSync(at("a"), at("c/moved"));
  rmSync(at("c/d"), { recursive: true });
  expect(await paths()).toEqual(["obeyed c/moved/b/.npmrc", "secret c/moved/.env"]);
  write("a/b/.npmrc");
  expect(await paths()).toEqual(["obeyed a/b/.npmrc", "obeyed c/moved/b/.npmrc", "secret c/moved/.env"]);
});

test.each(ways)("times that are set back hide nothing in folders that are %s", async (_name, change) => {
  const { paths, write, at } = scene(["a/plain"], change);
  utimesSync(at("a"), 1, 1);
  await paths();
  write("a/.npmrc");
  utimesSync(at("a"), 1, 1);
  expect(await paths()).toEqual(["obeyed a/.npmrc"]);
});

test("a folder becomes a repository by what lies in it", async () => {
  const { paths, write } = scene(["a/config", "a/hooks/x", "a/HEAD", "a/objects/x"]);
  expect(await paths()).toEqual([]);
  write("a/refs/x");
  expect(await paths()).toEqual(["obeyed a/config", "obeyed a/hooks"]);
});

test("packages may hold what programs obey, but no secrets and no repositories", async () => {
  const { paths } = scene(["node_modules/m/.npmrc", "node_modules/m/.env", "node_modules/m/.git/config"]);
  expect(await paths()).toEqual(["obeyed node_modules/m/.git/config", "secret node_modules/m/.env"]);
});

test("it is the same file wherever it is moved to", async () => {
  const { look, at } = scene(["a/.npmrc"]);
  const [first] = await look();
  renameSync(at("a"), at("b"));
  const [moved] = await look();
  expect([moved?.path, moved?.id]).toEqual(["b/.npmrc", first?.id]);
});

test("more changes than the kernel keeps are told as such, once for each look", async () => {
  let missed = 0;
  const { look, write } = scene(["a/x"], { mostUnheard: 4, onMissed: () => (missed += 1) });
  await look();
  for (let file = 0; file < 10; file++) write(`a/${file}`);
  await look();
  write("a/last");
  await look();
  expect(missed).toBe(1);
});

test("folders beyond the limit count as closed", async () => {
  const { paths } = scene(["a/b/c/.npmrc"], { mostFolders: 2 });
  expect(await paths()).toEqual(["closed a/b"]);
});
