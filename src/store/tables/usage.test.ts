import { expect, test } from "vitest";
import { conversation, storeIn } from "../../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import type { NewEvent } from "../../contract/event.ts";
import { openCalendar } from "../../contract/words/calendar.ts";
import { listUsage, readSpent, readTurnSpentUsd } from "./usage.ts";

const utc = openCalendar("UTC");
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
  expect(await listUsage(database, utc, { sinceMs: 0, conversation })).toMatchObject([
    { model: "a/large", calls: 1, costUsd: 0.5 },
    { model: "a/small", calls: 1, costUsd: 0.25, durationMs: 7, usage },
  ]);
  expect(await readSpent(database, utc, { nowMs: 0, conversation })).toEqual({ todayUsd: 0.75, conversationUsd: 0.75 });
  expect([await readTurnSpentUsd(database, "t1"), await readTurnSpentUsd(database, "t2")]).toEqual([0.75, 0]);
});

test("what was spent late in the evening counts for the day that it was where the owner lives", async () => {
  let nowMs = Date.UTC(2026, 10, 15, 22, 50);
  const { log, database } = await storeIn(await temporaryFolder(), { nowMs: () => nowMs });
  await log.append([step]);
  nowMs = Date.UTC(2026, 10, 15, 23, 5);
  await log.append([step, step]);
  const days = async (timeZone: string) =>
    (await listUsage(database, openCalendar(timeZone), { sinceMs: 0 })).map((row) => [row.day, row.calls, row.costUsd]);
  expect(await days("UTC")).toEqual([["2026-11-15", 3, 1.5]]);
  expect(await days("Europe/Berlin")).toEqual([
    ["2026-11-16", 2, 1],
    ["2026-11-15", 1, 0.5],
  ]);
  const berlin = openCalendar("Europe/Berlin");
  expect(await readSpent(database, berlin, { nowMs, conversation })).toEqual({ todayUsd: 1, conversationUsd: 1.5 });
  expect((await readSpent(database, utc, { nowMs, conversation })).todayUsd).toBe(1.5);
  const since = await listUsage(database, berlin, { sinceMs: nowMs });
  expect(since.map((row) => row.day)).toEqual(["2026-11-16"]);
});
