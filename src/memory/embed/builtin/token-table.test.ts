import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../tests/scenes/temporary-folder.ts";
import { openTokenTable } from "./token-table.ts";

const assets = fileURLToPath(new URL("../../assets", import.meta.url));
const rows = "static-minilm-256.i8";
const table = await openTokenTable();

test("what means something like it is more alike than what only has words in common", () => {
  const text = "My dog ran after a cat in the garden";
  const others = [
    "The puppy chased kittens across our lawn",
    "Pets are great",
    "The bank ran after its debts in the market",
  ];
  const likenesses = others.map((other) => likeness(table.vectorOf(text), table.vectorOf(other)));
  expect(likenesses).toEqual(likenesses.toSorted((one, other) => other - one));
});

test.each([
  ["When did she get married?", "The wedding was in June", "The meeting was in June"],
  ["Is she allergic to anything?", "Nuts give her a rash", "Trains give her a view"],
  ["Which instrument does she play?", "She practises the violin every day", "She waters the plants every day"],
])("%j is nearer to its answer than to something else", (question, answer, other) => {
  const vector = table.vectorOf(question);
  expect(likeness(vector, table.vectorOf(answer))).toBeGreaterThan(likeness(vector, table.vectorOf(other)));
});

test("a vector has length one, and a text without words is zeros", () => {
  expect(length(table.vectorOf("a few words"))).toBeCloseTo(1, 5);
  for (const empty of ["", " \n", "🤗"]) expect(length(table.vectorOf(empty))).toBe(0);
});

test("the sum of a text is that of its words, whatever was in its place before", () => {
  const [one, other, both] = ["dog", "cat", "dog cat"].map((text) => {
    const out = new Float32Array(table.dimensions).fill(7);
    table.sumOf(text, out);
    return out;
  });
  const apart = both?.map((value, at) => Math.abs(value - (one?.[at] ?? 0) - (other?.[at] ?? 0))) ?? [1];
  expect(Math.max(...apart)).toBeLessThan(1e-4);
});

test("a word has the same vector as a text of that word, known to the table or not", () => {
  for (const word of ["guitar", "chillin", "guitar"]) expect(table.wordVector(word)).toEqual(table.vectorOf(word));
});

test("words are whole, of letters and digits, and at least two", () => {
  expect(table.words.length).toBeGreaterThan(20_000);
  expect(table.words.filter((word) => !/^[\p{L}\p{N}]{2,}$/u.test(word))).toEqual([]);
});

test.each([rows, "vocab.txt"])("a table without its %s is told as such", async (name) => {
  const folder = await copiedAssets();
  await rm(join(folder, name));
  await expect(openTokenTable(folder)).rejects.toThrow(
    `The built-in memory table ${join(folder, name)} is missing. Install Steward again.`,
  );
});

test("a table that was cut off while it was written is told as such", async () => {
  const folder = await copiedAssets();
  await writeFile(join(folder, rows), (await readFile(join(assets, rows))).subarray(0, -1));
  await expect(openTokenTable(folder)).rejects.toThrow(/ is damaged\. Install Steward again\.$/);
});

test("a vocabulary that does not belong to the table is told as such", async () => {
  const folder = await copiedAssets();
  await writeFile(join(folder, "vocab.txt"), "[PAD]\nhello\n");
  await expect(openTokenTable(folder)).rejects.toThrow(/ is damaged\. Install Steward again\.$/);
});

test("a table with scales that are no numbers is told as such", async () => {
  const folder = await copiedAssets();
  const file = await readFile(join(assets, rows));
  file.fill(0xff, 4_000, 5_000);
  await writeFile(join(folder, rows), file);
  await expect(openTokenTable(folder)).rejects.toMatchObject({ name: "EmbedderFailure" });
});

async function copiedAssets(): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of [rows, "vocab.txt"]) await copyFile(join(assets, name), join(folder, name));
  return folder;
}

function likeness(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}

function length(vector: Float32Array): number {
  return Math.hypot(...vector);
}

test("adding a word so many times is adding its vector so many times, also of a word that is cut into pieces", () => {
  for (const word of ["guitar", "chillin"]) {
    const sum = new Float32Array(256);
    table.addWord(word, 2.5, sum);
    const vector = table.wordVector(word);
    for (const [at, value] of sum.entries()) expect(value).toBeCloseTo(2.5 * (vector[at] ?? 0), 5);
  }
});
