import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openAssistant } from "../scenes/assistant.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { conversation } from "../scenes/stores.ts";
import { testTool } from "../scenes/tools.ts";

const environment = { BRAIN: "plainwordsalone", CI_LINE: "Bearer otherwords-too" };
const settings = {
  models: { providers: { own: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1", apiKeyEnv: "BRAIN" } } },
  sandbox: { credentials: { "ci.example.org": { header: "Authorization", valueEnv: "CI_LINE" } } },
};

test("values that the settings name reach neither the model nor a transcript, whatever a tool prints", async () => {
  const model = scriptedModel([
    { text: "", calls: [{ tool: "note", arguments: { value: "otherwords-too" } }] },
    { text: "It says plainwordsalone." },
  ]);
  const run = async () => `${environment.BRAIN} ${Buffer.from(environment.BRAIN).toString("base64")} otherwords-too`;
  const assistant = await openAssistant({ model, tools: [testTool({ run })], environment, settings });
  await assistant.say("go");
  await assistant.until("turn.finished");
  await assistant.store.flush();
  const masks = "[redacted:known-value] [redacted:known-value] [redacted:known-value]";
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", output: masks });
  expect(await assistant.replies()).toEqual(["It says [redacted:known-value]."]);
  const transcript = await readFile(join(assistant.home, "data", "sessions", `${conversation}.jsonl`), "utf8");
  expect(transcript).not.toMatch(/plainwordsalone|otherwords/);
});
