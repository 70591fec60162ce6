import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool, type ToolResult, textResult } from "./tool.ts";

const context = {
  conversation: "c",
  turn: "t",
  callId: "1",
  asker: { kind: "owner", id: "owner" } as const,
  workspace: "/",
  signal: new AbortController().signal,
  progress: () => {},
};

function toolAnswering(result: z.ZodType, answer: ToolResult) {
  return defineTool({
    name: "count",
    description: "Counts.",
    arguments: z.strictObject({
      word: z.string().min(1).max(9).describe("What to count"),
      maximum: z.number().int().optional(),
    }),
    result,
    effects: ["reads"],
    class: "read",
    undo: { kind: "nothing to undo" },
    formatApproval: ({ word }) => `count ${word}`,
    run: async () => answer,
  });
}
const done: ToolResult = { outcome: "done", output: "three", value: { count: 3 } };

test("the model is told names, kinds and meanings, and not the limits that are checked anyway", () => {
  expect(toolAnswering(textResult, done).declaration).toEqual({
    name: "count",
    description: "Counts.",
    inputSchema: {
      type: "object",
      properties: { word: { type: "string", description: "What to count" }, maximum: { type: "integer" } },
      required: ["word"],
    },
  });
});

test.each([{}, { word: "" }, { word: "far too long" }, { word: "a", other: 1 }, { word: 1 }, undefined, "word"])(
  "%j does not fit and is told so",
  (raw) => {
    expect(toolAnswering(textResult, done).bind(raw)).toMatchObject({ ok: false, message: expect.any(String) });
  },
);

async function run(result: z.ZodType, answer: ToolResult): Promise<ToolResult> {
  const bound = toolAnswering(result, answer).bind({ word: "a" });
  if (!bound.ok) throw new Error(bound.message);
  return bound.call.run(context);
}

test("an answer of the promised shape passes", async () => {
  expect(await run(z.object({ count: z.number() }), done)).toEqual(done);
});

test("an answer of another shape is a failure of the tool", async () => {
  const answer = await run(z.object({ count: z.string() }), done);
  expect([answer.outcome, answer.output]).toEqual([
    "failed",
    expect.stringContaining("The tool answered in a wrong shape"),
  ]);
});

test("a failed call promises nothing", async () => {
  const failed: ToolResult = { outcome: "failed", output: "no" };
  expect(await run(z.object({ count: z.number() }), failed)).toEqual(failed);
});
