import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { cpuMsOf } from "../../../../tests/scenes/cpu-time.ts";
import { openWordpiece } from "./wordpiece.ts";

const file = await readFile(new URL("../../assets/vocab.txt", import.meta.url), "utf8");
const vocabulary = file.split("\n").filter(Boolean);
const { tokensOf, tokenOf } = openWordpiece(vocabulary);

// as the tokenizer of bert-base-uncased and that of llama.cpp cut them
test.each([
  ["hello world", "hello world"],
  ["I have a new GPU!", "i have a new gp ##u !"],
  ["embeddings", "em ##bed ##ding ##s"],
  ["Don't you love 🤗 Transformers? We sure do.", "don ' t you love [UNK] transformers ? we sure do ."],
  ["unaffable", "una ##ffa ##ble"],
  ["The café's naïve résumé", "the cafe ' s naive resume"],
  ["ÅÄÖ", "aa ##o"],
  ["$1,000 is 3.5%", "$ 1 , 000 is 3 . 5 %"],
  ["a_b-c/d", "a _ b - c / d"],
  ["日本", "日 本"],
  ["Привет", "п ##р ##и ##в ##е ##т"],
])("%j is cut as BERT cuts it", (text, pieces) => {
  expect(tokensOf(text).map((token) => vocabulary[token])).toEqual(pieces.split(" "));
});

test("the numbers are those of BERT", () => {
  expect(tokensOf("Hello, world")).toEqual([7592, 1010, 2088]);
});

test("a text without words has no tokens", () => {
  expect([tokensOf(""), tokensOf(" \n\t")]).toEqual([[], []]);
});

test("a word that is cut is cut the same way when it comes again", () => {
  expect(tokensOf("chillin chillin")).toEqual([...tokensOf("chillin"), ...tokensOf("chillin")]);
});

test("a whole word of the vocabulary has its token, and any other has none", () => {
  expect([tokenOf("hello"), tokenOf("embeddings"), tokenOf("ing")]).toEqual([7592, undefined, 13749]);
});

test("a word of more than a hundred letters is unknown, as it is to BERT", () => {
  expect(tokensOf("x".repeat(101)).map((token) => vocabulary[token])).toEqual(["[UNK]"]);
  expect(tokensOf("x".repeat(100)).length).toBeGreaterThan(1);
});

test("a megabyte without a space, and one of words that nobody knows, are cut in little time", async () => {
  expect(await cpuMsOf(() => tokensOf("xqz9".repeat(250_000)))).toBeLessThan(1_000);
  const words = Array.from({ length: 10_000 }, (_, at) => `${at}${"xqz9".repeat(24)}`);
  expect(await cpuMsOf(() => tokensOf(words.join(" ")))).toBeLessThan(5_000);
});
