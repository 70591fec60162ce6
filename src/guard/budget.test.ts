import { expect, test } from "vitest";
import { conversation, storeIn } from "../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../tests/scenes/temporary-folder.ts";
import { openCalendar } from "../contract/words/calendar.ts";
import { openBudget } from "./budget.ts";

async function budgetAfterSpending(limits: { perDayUsd?: number; perConversationUsd?: number; perTurnUsd?: number }) {
  const store = await storeIn(await temporaryFolder());
  await store.log.append([
    {
      type: "step.finished",
      conversation,
      turn: "t",
      step: 0,
      model: "a/b",
      text: "",
      toolCalls: [],
      finish: "stop",
      usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
      costUsd: 0.6,
    },
  ]);
  const settings = { perDayUsd: null, perConversationUsd: null, perTurnUsd: null, ...limits };
  return openBudget({ database: store.database, settings, nowMs: Date.now, calendar: openCalendar("UTC") });
}
const call = { conversation, turn: "t", estimateUsd: 0.3, unpriced: undefined };

test("without limits everything may be spent", async () => {
  expect((await (await budgetAfterSpending({})).reserve({ ...call, estimateUsd: 1e6 })).ok).toBe(true);
});

for (const key of ["perDayUsd", "perConversationUsd", "perTurnUsd"] as const) {
  test(`${key} stops the call that could go beyond it, and says how to go on`, async () => {
    const budget = await budgetAfterSpending({ [key]: 1 });
    expect((await budget.reserve(call)).ok).toBe(true);
    const refused = await (await budgetAfterSpending({ [key]: 0.8 })).reserve(call);
    expect(refused).toMatchObject({
      ok: false,
      message: expect.stringContaining(`Raise budgets.${key} in config.json`),
    });
  });
}

test("two calls side by side cannot overdraw together", async () => {
  const budget = await budgetAfterSpending({ perDayUsd: 1 });
  const first = await budget.reserve(call);
  expect((await budget.reserve(call)).ok).toBe(false);
  if (first.ok) first.release();
  expect((await budget.reserve(call)).ok).toBe(true);
});

test("a conversation's limit does not count what others spent", async () => {
  const budget = await budgetAfterSpending({ perConversationUsd: 0.5 });
  expect((await budget.reserve({ ...call, conversation: "terminal--other" })).ok).toBe(true);
});

test("with a limit, a model whose price nobody knows is not called", async () => {
  const budget = await budgetAfterSpending({ perDayUsd: 100 });
  expect(await budget.reserve({ ...call, unpriced: "x/y" })).toMatchObject({
    ok: false,
    message: expect.stringContaining("nobody knows what x/y costs"),
  });
});
