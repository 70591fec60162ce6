// What is meant by what was said before: answers to our questions, numbers of a list, and the last reminder.
import { expect, test } from "vitest";
import type { ModelMessage } from "../../contract/model.ts";
import { openOfflineModel } from "./open-offline-model.ts";

const tools = ["read", "schedule_task", "list_tasks", "pause_task", "resume_task", "cancel_task"];
const model = openOfflineModel({ nowMs: () => Date.parse("2026-11-16T18:00:00Z"), timeZone: "Europe/Berlin" });
const failed = (output: string) => ({ failed: output });
const noTime = failed("I find no time in that. Write for example x.");
const noWords = failed("What shall I remind you of? Say for example: remind me at six to call mum.");
const rows = [
  "task_1  Water the plants — every day at 08:00; next Tue 17 Nov 08:00",
  "task_2  call mum — Mon 16 Nov 20:00",
  "task_3  Weekly report — every Friday at 16:00; paused",
  "task_4  Timer: 10 minutes — Mon 16 Nov 19:07",
];
const listed = rows.join("\n");

test("a reminder without a time is completed by the next message", async () => {
  const talk = openTalk();
  expect(await talk.say("remind me to call mum", noTime)).toBe(
    "When? Say for example “tomorrow at 5pm” or “in 20 minutes”.",
  );
  await talk.say("tomorrow at 5pm", "I will remind you: call mum");
  expect(talk.steps.at(-1)).toEqual(["schedule_task", { sentence: "call mum tomorrow at 5pm" }]);
});

test("a reminder without words is completed by the next message", async () => {
  const talk = openTalk();
  expect(await talk.say("remind me at six", noWords)).toBe(noWords.failed);
  await talk.say("to feed the cat", "I will remind you: feed the cat");
  expect(talk.steps.at(-1)).toEqual(["schedule_task", { sentence: "at six to feed the cat" }]);
});

test("an answer that is none is asked for again, and the first words still count", async () => {
  const talk = openTalk();
  await talk.say("remind me to call mum", noTime);
  await talk.say("on someday", noTime);
  await talk.say("5pm", "Done.");
  expect(talk.steps.at(-1)).toEqual(["schedule_task", { sentence: "call mum at 5pm" }]);
});

test("timers and alarms are completed too, and a slip is put right by a yes", async () => {
  const talk = openTalk();
  await talk.say("set a timer");
  await talk.say("10 minutes", "Done.");
  expect(talk.steps.at(-1)).toMatchObject(["schedule_task", { when: "in 10 minutes" }]);
  await talk.say("set an alarm");
  await talk.say("7", "Done.");
  expect(talk.steps.at(-1)).toMatchObject(["schedule_task", { when: "at 7 in the morning" }]);
  await talk.say(
    "remind me tomorrov at 9 to swim",
    failed('Did you mean "tomorrow" where you wrote "tomorrov"? Write it.'),
  );
  await talk.say("yes", "Done.");
  expect(talk.steps.at(-1)).toEqual(["schedule_task", { sentence: "tomorrow at 9 to swim" }]);
});

test.each(["never mind", "what is planned?", "why?", "what is the capital of France?"])(
  "after a question, “%s” is taken for what it is",
  async (words) => {
    const talk = openTalk();
    await talk.say("remind me to call mum", noTime);
    await talk.say(words, listed);
    expect(talk.steps.filter(([tool]) => tool === "schedule_task")).toHaveLength(1);
  },
);

test("without a question before it, a time alone plans nothing", async () => {
  const talk = openTalk();
  expect(await talk.say("tomorrow at 5pm")).toContain("needs a language model");
});

test.each([
  ["what's on today?", "Today:\n1. call mum — Mon 16 Nov 20:00\n2. Timer: 10 minutes — Mon 16 Nov 19:07"],
  ["what is on tomorrow?", "Tomorrow:\n1. Water the plants — every day at 08:00; next Tue 17 Nov 08:00"],
  ["when is my next reminder?", "Next:\n1. Timer: 10 minutes — Mon 16 Nov 19:07"],
  ["what is paused?", "Paused:\n1. Weekly report — every Friday at 16:00; paused"],
  ["how much time is left on my timer?", "1. Timer: 10 minutes — Mon 16 Nov 19:07 (about 7 minutes left)"],
])("“%s” lists only that", async (words, text) => {
  expect(await openTalk().say(words, listed)).toBe(text);
});

test.each([
  ["what's on today?", "Nothing is planned for today."],
  ["what is paused?", "Nothing is paused."],
  ["how long is left on the timer?", "No timer is running."],
])("“%s” says that there is none", async (words, text) => {
  expect(await openTalk().say(words, rows[0] ?? "")).toBe(text);
});

test("a number is that of the list that was shown, not of the list as it is now", async () => {
  const talk = openTalk();
  await talk.say("what is planned?", listed);
  await talk.say("cancel reminder 2", rows.slice(1).join("\n"), "Cancelled: “call mum”.");
  expect(talk.steps.at(-1)).toEqual(["cancel_task", { id: "task_2" }]);
  await talk.say("what is paused?", listed);
  await talk.say("resume 1", listed, "Goes on.");
  expect(talk.steps.at(-1)).toEqual(["resume_task", { id: "task_3" }]);
});

test("a numbered list of other things is no list of tasks, and that of the timers is one", async () => {
  const talk = openTalk();
  await talk.say("help");
  await talk.say("cancel 2", listed, "Cancelled.");
  expect(talk.steps.at(-1)).toEqual(["cancel_task", { id: "task_2" }]);
  await talk.say("how much time is left on my timer?", listed);
  await talk.say("cancel 1", listed, "Cancelled.");
  expect(talk.steps.at(-1)).toEqual(["cancel_task", { id: "task_4" }]);
});

test("a row whose task has ended meanwhile is named, and nothing else is touched", async () => {
  const talk = openTalk();
  await talk.say("what is planned?", listed);
  const { length } = talk.steps;
  expect(await talk.say("cancel reminder 2", rows.toSpliced(1, 1).join("\n"))).toBe(
    "Number 2 was “call mum”, which has ended meanwhile. Say “what is planned?” for the rest.",
  );
  expect(talk.steps.slice(length)).toEqual([["list_tasks", {}]]);
});

test("when several fit, they are numbered and the number is understood", async () => {
  const talk = openTalk();
  const several = failed(
    `Several tasks fit “a”. Name one by its whole title or by its id:\n${rows.slice(0, 2).join("\n")}`,
  );
  expect(await talk.say("cancel a", several)).toMatch(
    /^Several tasks fit “a”\. Say “cancel reminder 1”, or its whole title:\n1\. Water the plants — .+\n2\. call mum — /,
  );
  await talk.say("cancel 2", listed, "Cancelled.");
  expect(talk.steps.at(-1)).toEqual(["cancel_task", { id: "task_2" }]);
});

test("when none fits, no ids are shown", async () => {
  const none = failed(`No task fits “violin”. There are:\n${rows.slice(0, 2).join("\n")}\nand 4 more`);
  expect(await openTalk().say("cancel the violin", none)).toBe(
    "No task fits “violin”. There are:\n1. Water the plants — every day at 08:00; next Tue 17 Nov 08:00\n2. call mum — Mon 16 Nov 20:00\nand 4 more",
  );
});

test("all alarms are the alarms only, and the list stays short", async () => {
  const alarms = ["a1  Alarm — every day at 07:00; next Tue 17 Nov 07:00", ...rows];
  const talk = openTalk();
  await talk.say("cancel all alarms", alarms.join("\n"), "Cancelled.");
  expect(talk.steps.at(-1)).toEqual(["cancel_task", { id: "a1" }]);
  const many = Array.from({ length: 30 }, (_, at) => `x${at}  Errand ${at} — Tue 17 Nov 08:00`).join("\n");
  expect((await talk.say("cancel everything", many)).split("\n")).toHaveLength(12);
});

test.each([
  ["snooze", "in 10 minutes"],
  ["snooze for 10 minutes", "in 10 minutes"],
  ["snooze 5", "in 5 minutes"],
  ["snooze until 5pm", "at 5pm"],
  ["remind me again in an hour", "in an hour"],
])("“%s” plans the last reminder again", async (words, when) => {
  const talk = openTalk();
  talk.hear("Bread", "take the bread out\n(Late: this was due Mon 16 Nov 18:00.)");
  await talk.say(words, "I will remind you: take the bread out");
  expect(talk.steps).toEqual([["schedule_task", { remind: "take the bread out", when, title: "Bread" }]]);
});

test("where no reminder has come there is nothing to snooze", async () => {
  expect(await openTalk().say("snooze")).toBe(
    "There is nothing to snooze: no reminder has come in this conversation yet.",
  );
});

type Result = string | { failed: string };

/** A conversation that goes on: each call gets the next of the results. */
function openTalk() {
  const messages: ModelMessage[] = [];
  const steps: (readonly [tool: string, args: unknown])[] = [];
  return { steps, hear, say };

  function hear(title: string, words: string): void {
    messages.push({ role: "assistant", text: `[from the task “${title}”] ${words}`, toolCalls: [], model: "steward" });
  }

  async function say(text: string, ...results: readonly Result[]): Promise<string> {
    messages.push({ role: "user", content: [{ type: "text", text }] });
    for (const result of [...results, "no further result"]) {
      const final = (await Array.fromAsync(model.stream(requestOf(messages)))).at(-1);
      if (final?.type !== "final") return expect.unreachable("a stream ends with a final event");
      messages.push({ role: "assistant", text: final.text, toolCalls: final.toolCalls, model: final.model });
      const [made] = final.toolCalls;
      if (!made) return final.text;
      steps.push([made.tool, made.arguments]);
      const output = typeof result === "string" ? result : result.failed;
      const isFailed = typeof result !== "string";
      messages.push({ role: "tool", callId: made.callId, tool: made.tool, failed: isFailed, output, images: [] });
    }
    return expect.unreachable("there is always an answer");
  }
}

function requestOf(messages: readonly ModelMessage[]) {
  return {
    ...{
      models: ["offline/rules"],
      system: [],
      messages: [...messages],
      thinking: "off" as const,
      maxOutputTokens: 1000,
    },
    tools: tools.map((name) => ({ name, description: "", inputSchema: {} })),
    signal: new AbortController().signal,
  };
}
