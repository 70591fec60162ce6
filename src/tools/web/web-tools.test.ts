import { expect, test } from "vitest";
import { SearchSettings } from "../../contract/settings.ts";
import { webTools } from "./web-tools.ts";

const never = () => Promise.reject(new Error("nothing is fetched here"));
const tools = webTools({
  version: "0",
  fetchPage: never,
  fetchSearch: never,
  world: { nowMs: () => 0, newId: (prefix) => prefix },
  search: SearchSettings.parse({}),
  readKey: async () => undefined,
});

test.each(tools.map((tool) => [tool.name, tool] as const))("%s costs the model at most 120 tokens", (_name, tool) => {
  expect(JSON.stringify(tool.declaration).length / 4).toBeLessThanOrEqual(120);
});

test("both only read, so that they run without a question and leave nothing to undo", () => {
  expect(tools.map(({ effects, class: kind, undo }) => ({ effects, kind, undo }))).toEqual(
    tools.map(() => ({ effects: ["reads"], kind: "read", undo: { kind: "nothing to undo" } })),
  );
});

test("a person is shown the whole URL", () => {
  const url = `https://example.org/?${"a".repeat(5_000)}`;
  const bound = tools[0]?.bind({ url });
  expect(bound?.ok && bound.call.approvalText).toBe(`Fetch ${url}`);
});
