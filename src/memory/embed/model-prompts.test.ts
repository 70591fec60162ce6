import { expect, test } from "vitest";
import { promptsOf } from "./model-prompts.ts";

test("EmbeddingGemma is told what is searched for and what is searched in", () => {
  const expected = { text: "title: none | text: ", query: "task: search result | query: " };
  expect(promptsOf("embeddinggemma-300M-Q8_0.gguf")).toEqual(expected);
  expect(promptsOf("embeddinggemma:latest")).toEqual(expected);
  expect(promptsOf("text-embedding-embeddinggemma-300m")).toEqual(expected);
});

test("models with words of their own get theirs", () => {
  expect(promptsOf("nomic-embed-text").query).toBe("search_query: ");
  expect(promptsOf("text-embedding-nomic-embed-text-v1.5").text).toBe("search_document: ");
  expect(promptsOf("multilingual-e5-small-q8_0.gguf")).toEqual({ text: "passage: ", query: "query: " });
});

test("any other model gets the texts as they are", () => {
  expect(promptsOf("text-embedding-3-small")).toEqual({ text: "", query: "" });
  expect(promptsOf("all-minilm")).toEqual({ text: "", query: "" });
});
