import { expect, test } from "vitest";
import { type ScriptedAnswer, scriptedModel } from "../../tests/scenes/scripted-model.ts";
import { conversation, storeIn } from "../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../tests/scenes/temporary-folder.ts";
import type { AskedFor, ModelQuestion } from "../contract/ask-model.ts";
import type { ModelProvider } from "../contract/model.ts";
import { Settings } from "../contract/settings.ts";
import { openCalendar } from "../contract/words/calendar.ts";
import { readSpent } from "../store/tables/usage.ts";
import { openAskModel } from "./ask-model.ts";
import { openBudget } from "./budget.ts";

const calendar = openCalendar("UTC");
const signal = new AbortController().signal;
const asked: AskedFor = { conversation, turn: "t1", callId: "c1", tool: "research", signal };
const question: ModelQuestion = {
  system: [{ text: "Answer.", stable: true }],
  messages: [{ role: "user", content: [{ type: "text", text: "What is it?" }] }],
  tools: [],
  thinking: "off",
};

async function askScene(models: ModelProvider, budgets: Record<string, number> = {}) {
  const { log, database } = await storeIn(await temporaryFolder(), { nowMs: () => 0 });
  const settings = Settings.parse({ budgets }).budgets;
  const budget = openBudget({ database, settings, nowMs: () => 0, calendar });
  return {
    log,
    database,
    ask: openAskModel({ models, budget, log, maxOutputTokens: 500, nowMs: () => 0, redact: (text) => text }),
  };
}

test("what an answer cost is in the log and in the budget before the asker has it", async () => {
  const { ask, log, database } = await askScene(scriptedModel([{ text: "a mill" }]));
  expect(await ask(asked, question)).toMatchObject({ ok: true, answer: { text: "a mill" }, contextTokens: 100_000 });
  expect(await log.since(0, 10)).toMatchObject([
    { type: "model.called", turn: "t1", callId: "c1", tool: "research", model: "scripted/one", costUsd: 0.001 },
  ]);
  expect((await readSpent(database, calendar, { nowMs: 0, conversation })).todayUsd).toBe(0.001);
});

test("asking again and again ends at the budget of the turn, although the call has not returned yet", async () => {
  const model = scriptedModel([{ text: "more" }]);
  const { ask } = await askScene(model, { perTurnUsd: 0.0025 });
  const answers = [];
  for (let time = 0; time < 6; time += 1) answers.push(await ask(asked, question));
  expect(answers.map(({ ok }) => ok)).toEqual([true, true, true, false, false, false]);
  expect(answers.at(-1)).toMatchObject({ kind: "budget", reason: expect.stringContaining("budgets.perTurnUsd") });
  expect(model.requests.length).toBe(3);
});

test("what was set aside is given back, also when the model fails", async () => {
  const failing: ScriptedAnswer = { unavailable: "overloaded", message: "It is busy." };
  // room for one question at a time
  const { ask } = await askScene(scriptedModel([failing, failing, { text: "now" }]), { perDayUsd: 0.0001 });
  expect(await ask(asked, question)).toEqual({ ok: false, kind: "overloaded", reason: "It is busy." });
  await ask(asked, question);
  expect(await ask(asked, question)).toMatchObject({ ok: true });
});

test("without a language model one sentence says what is missing", async () => {
  const offline = {
    ...scriptedModel([{ text: "x" }]),
    choose: async () => [{ ...(await one()), name: "offline/rules" }],
  };
  const { ask } = await askScene(offline);
  expect(await ask(asked, question)).toMatchObject({
    ok: false,
    kind: "credentials",
    reason: expect.stringMatching(/none is connected/),
  });
});

test("rules that answer in a model's place are not taken for it", async () => {
  const model = scriptedModel([]);
  const { ask, log } = await askScene({
    ...model,
    async *stream() {
      const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
      yield { type: "final", model: "offline/rules", text: "I am a rule.", toolCalls: [], finish: "stop", usage };
    },
  });
  expect(await ask(asked, question)).toMatchObject({ ok: false, kind: "network" });
  expect(await log.since(0, 10)).toEqual([]);
});

async function one() {
  const [choice] = await scriptedModel([]).choose(undefined);
  if (!choice) throw new Error("the scripted model offers one");
  return choice;
}
