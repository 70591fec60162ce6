import { expect, test } from "vitest";
import {
  chosenWords,
  fullModel,
  isOffered,
  type ModelPlace,
  orderPlaces,
  placeWords,
  setupProblems,
  suggestedModels,
  toChoice,
} from "./model-places.ts";

const anthropic: ModelPlace = { id: "anthropic", name: "Anthropic", needsKey: true, models: [] };
const openai: ModelPlace = {
  id: "openai",
  name: "OpenAI",
  needsKey: true,
  keyFrom: "OPENAI_API_KEY",
  models: [],
};
const ollama: ModelPlace = {
  id: "ollama",
  name: "Ollama",
  needsKey: false,
  running: true,
  models: ["ollama/llama3.2"],
};
const form = { provider: "anthropic", apiKey: "", baseUrl: "", model: "claude-sonnet-4-5" };

test("a model is never called well and not running at once", () => {
  const stopped = { ...ollama, running: false };
  const box: ModelPlace = { id: "box", name: "box", needsKey: false, models: [] };
  expect(chosenWords("ollama/llama3.2", [ollama]).isWell).toBe(true);
  expect(chosenWords("ollama/llama3.2", [stopped]).words).toContain("Ollama is not running");
  expect(chosenWords("anthropic/claude", [anthropic]).words).toContain("no key for Anthropic is known");
  // nobody has looked for a server that the owner named, so nobody may say that it does not run
  expect([isOffered(box), placeWords(box), chosenWords("box/model", [box]).isWell]).toEqual([
    true,
    "Needs no key",
    true,
  ]);
  expect([isOffered(stopped), placeWords(stopped)]).toEqual([false, "Not running"]);
});

test("what runs here stands first, then what has a key", () => {
  expect(orderPlaces([anthropic, openai, ollama]).map((place) => place.id)).toEqual(["ollama", "openai", "anthropic"]);
});

test("each place says in words how near at hand it is", () => {
  expect([ollama, openai, anthropic].map(placeWords)).toEqual([
    "Running here with one model",
    "Key found in OPENAI_API_KEY",
    "Needs a key",
  ]);
});

test("the provider stands in front of a model's name exactly once", () => {
  expect(suggestedModels(ollama)).toEqual(["llama3.2"]);
  expect(fullModel("ollama", "ollama/llama3.2")).toBe("ollama/llama3.2");
  expect(fullModel("openrouter", "meta/llama-3")).toBe("openrouter/meta/llama-3");
});

test("a key is asked for only where none is known", () => {
  expect(setupProblems(form, anthropic)).toEqual({ apiKey: "Paste the key here." });
  expect(setupProblems({ ...form, provider: "openai" }, openai)).toEqual({});
});

test("a key with a line break in it is told before it is sent", () => {
  expect(setupProblems({ ...form, apiKey: "sk-one two" }, anthropic).apiKey).toMatch("no spaces");
});

test("a server of one's own needs a name and an address", () => {
  const own = { provider: "My Server", apiKey: "", baseUrl: "localhost:8080", model: "m" };
  expect(Object.keys(setupProblems(own, undefined))).toEqual(["provider", "baseUrl"]);
  expect(setupProblems({ ...own, provider: "mine", baseUrl: "http://127.0.0.1:8080/v1" }, undefined)).toEqual({});
});

test("fields left empty are not sent", () => {
  expect(toChoice(form)).toEqual({ provider: "anthropic", model: "anthropic/claude-sonnet-4-5" });
});
