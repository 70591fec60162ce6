import { expect, test } from "vitest";
import { conversation, storeIn } from "../../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import type { NewEvent } from "../../contract/event.ts";
import { listUsage, readSpent, readTurnSpentUsd } from "./usage.ts";

const usage = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 };
const step: NewEvent = {
  type: "step.finished",
  conversation,
  turn: "t1",
  step: 0,
  model: "a/large",
  text: "",
  toolCalls: [],
  finish: "tool_calls",
  usage,
  costUsd: 0.5,
};
const asked = { conversation, turn: "t1", callId: "c1", tool: "extract" };
const call = { model: "a/small", usage, costUsd: 0.25, durationMs: 7 };
const tellings: readonly NewEvent[] = [
  { type: "model.called", ...asked, ...call },
  { type: "tool.returned", ...asked, outcome: "done", output: "{}", attachments: [], modelCalls: [call] },
];

const what = "what a tool has asked a model counts like a step: in the usage, for the conversation and for the turn";
test.each(tellings)(`${what} ($type)`, async (told) => {
  const { log, database } = await storeIn(await temporaryFolder(), { nowMs: () => 0 });
  await log.append([step, told]);
  expect(await listUsage(database, "1970-01-01", conversation)).toMatchObject([
    { model: "a/large", calls: 1, costUsd: 0.5 },
    { model: "a/small", calls: 1, costUsd: 0.25, durationMs: 7, usage },
  ]);
  expect(await readSpent(database, "1970-01-01", conversation)).toEqual({ todayUsd: 0.75, conversationUsd: 0.75 });
  expect([await readTurnSpentUsd(database, "t1"), await readTurnSpentUsd(database, "t2")]).toEqual([0.75, 0]);
});
