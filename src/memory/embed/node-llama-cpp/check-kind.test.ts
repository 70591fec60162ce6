import { expect, test } from "vitest";
import { wrongKind } from "./check-kind.ts";

test.each([
  ["EmbeddingGemma", "gemma-embedding", { pooling_type: 1 }, {}],
  ["a BERT model", "bert", { pooling_type: 2, attention: { causal: false } }, {}],
  [
    "a Qwen embedding model, which has a template for conversations",
    "qwen3",
    { pooling_type: 3 },
    { chat_template: "{{ x }}" },
  ],
  ["an old file that does not say how it pools", "nomic-bert", {}, {}],
])("%s turns texts into vectors", (_name, architecture, own, tokenizer) => {
  expect(wrongKind(metadata(architecture, own, tokenizer))).toBeUndefined();
});

test.each([
  ["a model for conversations", metadata("llama", {}, { chat_template: "{{ x }}" })],
  ["a model that puts texts in order", metadata("bert", { pooling_type: 4 })],
  ["the part of a model that sees pictures", metadata("clip", {})],
  ["no model of its own (adapter)", { general: { architecture: "llama", type: "adapter" } }],
  ["no model that is known", { general: {} }],
  ["no model that is known", undefined],
])("%s is told as such", (words, said) => {
  expect(wrongKind(said)).toBe(words);
});

function metadata(architecture: string, own: object, tokenizer: object = {}) {
  return { general: { architecture, type: "model" }, [architecture]: own, tokenizer: { ggml: {}, ...tokenizer } };
}
