import { expect, test } from "vitest";
import { openAssistant } from "../scenes/assistant.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { testTool } from "../scenes/tools.ts";

const limits = { tools: { timeoutSeconds: 1, maxOutputCharacters: 1_000 } };
const words = "It was stopped because it took longer than 1 s, the limit of tools.timeoutSeconds.";

async function outcomeOf(tool: ReturnType<typeof testTool>) {
  const model = scriptedModel([{ text: "", calls: [{ tool: "note", arguments: { value: "x" } }] }, { text: "ok" }]);
  const allowed = { guard: { tools: { note: "allow" } } };
  const assistant = await openAssistant({ model, tools: [tool], settings: { ...limits, ...allowed } });
  await assistant.say("go");
  await assistant.until("turn.finished");
  const [returned] = await assistant.until("tool.returned");
  return [returned?.outcome, returned?.output];
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<string>((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("let go")));
  });

test("a call that takes too long is stopped, and the turn goes on", async () => {
  expect(await outcomeOf(testTool({ run: (_, signal) => untilAborted(signal) }))).toEqual([
    "failed",
    `The tool broke: let go\n${words}`,
  ]);
});

test("a call that does not let go is left behind", async () => {
  expect(await outcomeOf(testTool({ run: () => new Promise(() => {}) }))).toEqual(["failed", words]);
});

test("of an unsafe call that does not let go nobody knows what became of it", async () => {
  expect(await outcomeOf(testTool({ class: "unsafe", run: () => new Promise(() => {}) }))).toEqual(["unknown", words]);
});

test("what came in time although it was too late is taken", async () => {
  const run = (_: string, signal: AbortSignal) =>
    new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("half of it")));
  expect(await outcomeOf(testTool({ run }))).toEqual(["done", "half of it"]);
});

test("an output is cut at the length that the settings say", async () => {
  const [outcome, output] = await outcomeOf(testTool({ run: async () => "x".repeat(3_000) }));
  expect([outcome, output]).toEqual([
    "done",
    expect.stringMatching(/^x{700}\n… \[2000 characters left out; read_output/),
  ]);
});
