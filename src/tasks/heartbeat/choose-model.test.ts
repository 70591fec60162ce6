import { expect, test } from "vitest";
import type { ModelChoice } from "../../contract/model.ts";
import { chooseBeatModel } from "./choose-model.ts";

const room = { contextTokens: 1, maxOutputTokens: 1 };

function model(name: string, input?: number, source = "credential"): ModelChoice {
  return { name, ...room, source, ...(input !== undefined && { price: { input, output: input * 5 } }) };
}

const offline = model("offline/rules", 0, "built in");
const strong = model("anthropic/strong", 2);
const small = model("anthropic/small", 0.1);

function choose(used: ModelChoice, list: readonly ModelChoice[], wish: string | null = null) {
  return chooseBeatModel({ choose: async () => [used], list: async () => [...list, offline] }, wish);
}

test("the cheapest model of the provider in use looks around", async () => {
  const list = [strong, model("anthropic/middle", 1), small, model("openai/tiny", 0.01)];
  expect(await choose(strong, list)).toEqual({ kind: "model", name: "anthropic/small" });
});

test("of two that cost the same to read, the one that costs less to write", async () => {
  const wordy = { ...small, name: "anthropic/wordy", price: { input: 0.1, output: 9 } };
  expect(await choose(strong, [strong, wordy, small])).toEqual({ kind: "model", name: "anthropic/small" });
});

test.each([
  ["nobody knows what the others cost", strong, [strong, model("anthropic/new")]],
  ["nobody knows what it costs itself", model("anthropic/new"), [model("anthropic/new"), small]],
  ["it is the cheapest itself", small, [strong, small]],
  ["it runs on this machine", model("ollama/large", 0), [model("ollama/large", 0), model("ollama/small", 0)]],
])("the model in use looks when %s", async (_why, used, list) => {
  expect(await choose(used, list)).toEqual({ kind: "model", name: null });
});

test("a model that was set is taken as it is", async () => {
  expect(await choose(strong, [small], "openai/tiny")).toEqual({ kind: "model", name: "openai/tiny" });
});

test("without a language model nobody looks", async () => {
  expect(await choose(offline, [])).toEqual({ kind: "none" });
});
