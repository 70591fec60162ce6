import { expect, test } from "vitest";
import type { ToolSummary } from "../../../src/contract/wire/methods/tools.ts";
import { allowWarning, effectWords, searchTools } from "./tool-facts.ts";

function tool(name: string, effects: ToolSummary["effects"], properties: Record<string, unknown> = {}): ToolSummary {
  return {
    name,
    description: `About ${name}.`,
    effects,
    class: "unsafe",
    undo: "",
    policy: "usual",
    schema: { properties },
  };
}
const write = tool("write", ["changes"], { path: {} });
const act = tool("browser_act", ["changes", "sends"]);

test("a tool that is told a path changes files, another changes something", () => {
  expect(effectWords("changes", write).name).toBe("Changes files");
  expect(effectWords("changes", act).name).toBe("Changes something");
});

test("letting a tool run unasked is warned of by what it can do, and looking is not warned of", () => {
  expect(allowWarning(act)).toMatch("send your words to others and change your files without a question");
  expect(allowWarning(tool("read", ["reads"]))).toBeUndefined();
});

test("tools are found by their name in words and by their effects", () => {
  const names = (query: string) => searchTools([write, act], query).map((found) => found.name);
  expect(names("browser act")).toEqual(["browser_act"]);
  expect(names("sends out")).toEqual(["browser_act"]);
  expect(names("")).toEqual(["write", "browser_act"]);
});
