import { expect, test } from "vitest";
import { limitsOf } from "./model-limits.ts";
import type { ProviderPlace } from "./provider-places.ts";

const place: ProviderPlace = {
  ...{ name: "anthropic", kind: "anthropic", baseUrl: "https://example.org/v1", key: "k", keyVariable: "K" },
  ...{ needsKey: true, isLocal: false, contextTokens: undefined, maxOutputTokens: undefined },
};

test("well known models have their own limits, others a usual one", () => {
  expect(limitsOf(place, "claude-opus-5-5").contextTokens).toBe(1_000_000);
  expect(limitsOf(place, "something-new").contextTokens).toBe(128_000);
});

test("a local server's window is guessed carefully, whatever the model is called", () => {
  expect(limitsOf({ ...place, isLocal: true }, "gpt-5").contextTokens).toBe(16_384);
});

test("the owner's own figures win", () => {
  expect(limitsOf({ ...place, contextTokens: 5000, maxOutputTokens: 100 }, "claude-opus-5-5")).toEqual({
    contextTokens: 5000,
    maxOutputTokens: 100,
  });
});
