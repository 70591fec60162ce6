import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { changeIndex, removeSource, replaceSource } from "../kept/sources-table.ts";
import type { Unit } from "../units/unit.ts";
import { openIndexFile } from "./index-file.ts";
import { type Index, loadIndex } from "./open-index.ts";

function indexIn(folder = mkdtempSync(join(tmpdir(), "index-"))) {
  const { file, tookAway } = openIndexFile(join(folder, "own.db"));
  onTestFinished(() => {
    file.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { index: loadIndex(file), folder, tookAway };
}

const unit = (text: string, from: number): Unit => ({
  ...{ text, context: "", speaker: "", day: "", from, to: from, labels: [] },
});

const put = (index: Index, files: Readonly<Record<string, readonly string[]>>) =>
  changeIndex(index, (changes) => {
    for (const [name, texts] of Object.entries(files)) {
      const units = texts.map((text, at) => ({ unit: unit(text, at + 1), row: Int8Array.of(1, 2, 3, at) }));
      replaceSource(index, changes, { kind: "file", name, stamp: "1", day: "" }, units);
    }
  });

test("several sources come in and go at once, and each unit has a number of its own", () => {
  const { index } = indexIn();
  put(index, { "a.md": ["one", "two"], "b.md": ["three"] });
  put(index, { "a.md": ["one more", "and two", "and three"], "c.md": ["four"] });
  const rows = index.file.lists("SELECT id, text FROM units ORDER BY text").map(([, text]) => text);
  expect(rows).toEqual(["and three", "and two", "four", "one more", "three"]);
  expect(index.table.live).toBe(5);
});

test("what memory holds of an index is what loading it again finds", () => {
  const { index } = indexIn();
  put(index, { "a.md": ["apples and pears", "pears"], "b.md": ["plums"] });
  changeIndex(index, (changes) => removeSource(index, changes, "file", "a.md"));
  put(index, { "d.md": ["pears again", "figs"] });
  const again = loadIndex(index.file);
  for (const word of ["appl", "pear", "plum", "fig"]) expect(index.counts.of(word)).toBe(again.counts.of(word));
  expect(index.table.live).toBe(again.table.live);
  expect([...index.table.sessions.keys()].sort()).toEqual([...again.table.sessions.keys()].sort());
});

test("a change that fails half-way leaves disk and memory as they were", () => {
  const { index } = indexIn();
  put(index, { "a.md": ["one"] });
  expect(() =>
    changeIndex(index, (changes) => {
      removeSource(index, changes, "file", "a.md");
      throw new Error("the disk is full");
    }),
  ).toThrow("the disk is full");
  expect(index.table.live).toBe(1);
  expect(index.file.lists("SELECT text FROM units")).toEqual([["one"]]);
  put(index, { "b.md": ["two"] });
  expect(loadIndex(index.file).table.live).toBe(2);
});

test("words that were taken out stand in no byte of the file any more", async () => {
  const { index, folder } = indexIn();
  put(index, { "a.md": ["xylophonist", "stays"], "b.md": ["other"] });
  put(index, { "a.md": ["stays"] });
  index.file.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const { readFileSync } = await import("node:fs");
  expect(readFileSync(join(folder, "own.db"), "latin1")).not.toContain("xylophonist");
});
