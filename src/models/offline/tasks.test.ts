import { expect, test } from "vitest";
import { cpuMsOf } from "../../../tests/scenes/cpu-time.ts";
import type { ModelMessage, ModelRequest } from "../../contract/model.ts";
import { openOfflineModel } from "./open-offline-model.ts";

const tools = [
  ...["read", "write", "edit", "list", "bash", "web_fetch", "web_search"],
  ...["schedule_task", "list_tasks", "pause_task", "resume_task", "cancel_task"],
];
const model = openOfflineModel({ nowMs: () => Date.parse("2026-11-16T18:00:00Z"), timeZone: "Europe/Berlin" });
const listed = [
  "task_1  Water the plants — every other day at 08:00; next Tue 17 Nov 08:00",
  "task_2  call mum — Fri 20 Nov 18:00",
].join("\n");
const wakeUp = { remind: "Time to wake up.", title: "Alarm" };

test.each<[sentence: string, wish: Record<string, string>]>([
  ["remind me in 20 minutes to take the bread out", { sentence: "in 20 minutes to take the bread out" }],
  ["Remind me to call mum tomorrow at six.", { sentence: "call mum tomorrow at six" }],
  ["remind me tomorrow at six to call mum", { sentence: "tomorrow at six to call mum" }],
  ["remind me every Monday at 9 to send the report", { sentence: "every Monday at 9 to send the report" }],
  ["remind us about the meeting on Friday at 3pm", { sentence: "the meeting on Friday at 3pm" }],
  ["Could you please remind me to call mum at 6 p.m.?", { sentence: "call mum at 6 p.m." }],
  ["remind me that the bins go out every Tuesday at 7", { sentence: "the bins go out every Tuesday at 7" }],
  ["remind me: call mum at 5", { sentence: "call mum at 5" }],
  ["remind me to call mum", { sentence: "call mum" }],
  ["set a reminder for tomorrow at six to call mum", { sentence: "tomorrow at six to call mum" }],
  ["add a reminder to call mum at six", { sentence: "call mum at six" }],
  ["create a daily reminder to stretch at 10:30", { sentence: "stretch at 10:30 every day" }],
  ["schedule a call with Ann tomorrow at three", { sentence: "a call with Ann tomorrow at three" }],
  ["every weekday at nine tell me to stand up", { remind: "stand up", when: "every weekday at nine" }],
  ["every weekday at 9:30 remind me to stand up", { remind: "stand up", when: "every weekday at 9:30" }],
  ["in 2 hours, remind me about the cake", { remind: "the cake", when: "in 2 hours" }],
  ["tomorrow remind me to vote", { remind: "vote", when: "tomorrow" }],
  ["at six tell us that dinner is ready!", { remind: "dinner is ready", when: "at six" }],
  ["wake me at 7", { ...wakeUp, when: "at 7 in the morning" }],
  ["wake me up tomorrow at half past six", { ...wakeUp, when: "tomorrow at half past six in the morning" }],
  ["wake me at 14:30", { ...wakeUp, when: "at 14:30" }],
  ["wake me at 5 pm", { ...wakeUp, when: "at 5 pm" }],
  ["wake me tomorrow evening at six", { ...wakeUp, when: "tomorrow evening at six" }],
  ["set an alarm for noon", { ...wakeUp, when: "noon" }],
  ["wake me in 20 minutes", { ...wakeUp, when: "in 20 minutes" }],
  ["set an alarm for 6:30", { ...wakeUp, when: "at 6:30 in the morning" }],
  ["set an alarm for every weekday at 6:30", { ...wakeUp, when: "every weekday at 6:30 in the morning" }],
  ["set an alarm for 45 minutes", { ...wakeUp, when: "in 45 minutes" }],
  ["set a timer for 10 minutes", timer("10 minutes")],
  ["start a ten-minute timer", timer("ten minutes")],
  ["set a one-hour timer", timer("one hour")],
  ["set a half-hour timer", timer("half an hour")],
  ["please set me a timer for an hour and a half", timer("an hour and a half")],
  ["timer 90 seconds", timer("90 seconds")],
  ["set a 3 minute timer", timer("3 minutes")],
  ["set a timer for an hour and 20 minutes", timer("an hour and 20 minutes")],
  ["set a timer for 1 minutes", timer("1 minute")],
  ["tea timer 4 minutes", timer("4 minutes", "tea")],
  ["set a timer for 10 minutes for pasta", timer("10 minutes", "pasta")],
  ["set a timer for the pasta for 10 minutes", timer("10 minutes", "pasta")],
  ["set a 10 minute pasta timer", timer("10 minutes", "pasta")],
  ["alarm at 7 every weekday", { ...wakeUp, when: "at 7 every weekday in the morning" }],
  ["alarm 6:30", { ...wakeUp, when: "at 6:30 in the morning" }],
  ["notify me at 5pm to leave", { sentence: "at 5pm to leave" }],
  ["ping me in 15 min to stretch", { sentence: "in 15 min to stretch" }],
  ["reminder: dentist 3 December 14:30", { sentence: "dentist 3 December 14:30" }],
  ["remind me later to call mum", { sentence: "later to call mum" }],
  ["move the invoice to Monday at 10", { id: "invoice", when: "Monday at 10" }],
  ["reschedule the dentist to 3 December at 14:30", { id: "dentist", when: "3 December at 14:30" }],
])("“%s” plans it", async (sentence, wish) => {
  expect((await converse(sentence, ["Done."])).steps).toEqual([["schedule_task", wish]]);
});

test.each([
  ...["what is planned?", "what's planned", "What’s planned this week?", "what is coming up"],
  ...["what do you have scheduled", "what do I have planned?", "list my reminders", "list tasks", "show me my tasks"],
  ...["which reminders do I have?", "what are my reminders?", "show all alarms", "what is on my schedule?"],
  ...["do I have any reminders?"],
])("“%s” lists what is planned, with numbers in the place of ids", async (sentence) => {
  const { steps, text } = await converse(sentence, [listed]);
  expect(steps).toEqual([["list_tasks", {}]]);
  expect(text).toBe(
    "Planned:\n1. Water the plants — every other day at 08:00; next Tue 17 Nov 08:00\n2. call mum — Fri 20 Nov 18:00",
  );
});

test.each([
  ["cancel the plants", "cancel_task", "plants"],
  ["Cancel the reminder to call mum.", "cancel_task", "call mum"],
  ["cancel my plants reminder", "cancel_task", "plants"],
  ["delete the task “Weekly report”", "cancel_task", "Weekly report"],
  ["remove the plants reminder", "cancel_task", "plants"],
  ["stop reminding me to call mum", "cancel_task", "call mum"],
  ["stop the timer", "cancel_task", "timer"],
  ["cancel my alarm", "cancel_task", "alarm"],
  ["pause the plants", "pause_task", "plants"],
  ["pause the weekly report", "pause_task", "weekly report"],
  ["please resume the plants", "resume_task", "plants"],
  ["unpause task plants", "resume_task", "plants"],
])("“%s” calls %s with the name", async (sentence, tool, id) => {
  expect((await converse(sentence, ["Done."])).steps).toEqual([[tool, { id }]]);
});

test.each([
  ["cancel reminder 2", "cancel_task"],
  ["delete task #2", "cancel_task"],
  ["cancel 2", "cancel_task"],
  ["pause number 2", "pause_task"],
  ["resume reminder no. 2", "resume_task"],
])("“%s” means the number in the list", async (sentence, tool) => {
  const { steps, text } = await converse(sentence, [listed, "Cancelled: call mum."]);
  expect({ steps, text }).toEqual({
    steps: [
      ["list_tasks", {}],
      [tool, { id: "task_2" }],
    ],
    text: "Cancelled: call mum.",
  });
});

test("a number that there is not changes nothing", async () => {
  const { steps, text } = await converse("cancel reminder 3", [listed]);
  expect(steps).toHaveLength(1);
  expect(text).toMatch(/^There is no number 3\. Say “cancel reminder 1”, or name it:\n1\. Water the plants/);
});

test.each(["cancel all reminders", "clear all my alarms", "cancel my reminders", "cancel everything", "cancel that"])(
  "“%s” ends none of several by itself",
  async (sentence) => {
    const { steps, text } = await converse(sentence, [listed]);
    expect(steps).toEqual([["list_tasks", {}]]);
    expect(text).toMatch(/^I cancel one at a time\. Say “cancel reminder 1”, or name it:\n1\. Water/);
  },
);

test("the only one that is planned needs no name, but a “that” does", async () => {
  const only = listed.split("\n")[0] ?? "";
  expect((await converse("cancel the reminder", [only, "Cancelled."])).steps[1]).toEqual([
    "cancel_task",
    { id: "task_1" },
  ]);
  expect((await converse("cancel all reminders", [only, "Cancelled."])).steps).toHaveLength(2);
  expect((await converse("cancel that", [only])).steps).toHaveLength(1);
});

test("when nothing is planned, the tool's own words say so", async () => {
  for (const sentence of ["what is planned?", "cancel all reminders", "cancel reminder 1"])
    expect((await converse(sentence, ["Nothing is planned."])).text).toBe("Nothing is planned.");
});

test("what the tool says of a plan is passed on, and so is why it did not work", async () => {
  const words = "I will remind you: call mum\nWhen: Fri 20 Nov 18:00";
  expect((await converse("remind me on Friday at six to call mum", [`${words} (t0123456789)`])).text).toBe(words);
  expect((await converse("cancel the plants", ["Cancelled: “Water (tap)” (t0123456789)."])).text).toBe(
    "Cancelled: “Water (tap)”.",
  );
  const refused = { failed: "That time has passed. Name one that is still to come." };
  expect((await converse("remind me at 5 to call mum", [refused])).text).toBe(`That did not work: ${refused.failed}`);
  expect((await converse("cancel reminder 1", [{ failed: "The list cannot be read." }])).text).toBe(
    "That did not work: The list cannot be read.",
  );
});

test.each([
  ["remind me", "What should I remind you of, and when?"],
  ["set a timer", "For how long?"],
  ["set an alarm", "At what time?"],
  ["wake me up", "At what time?"],
])("“%s” asks for what is missing", async (sentence, question) => {
  const { steps, text } = await converse(sentence, []);
  expect({ steps, text }).toEqual({ steps: [], text: expect.stringContaining(question) });
});

test.each<[sentence: string, tool: string | undefined]>([
  ["remember that I water the plants every Monday", "read"],
  ["don't forget that Anna moves in May", "read"],
  ["forget the reminder from Ann", "read"],
  ["what is my favourite reminder song?", "read"],
  ["show me tasks.md", "read"],
  ["read tasks.txt", "read"],
  ["delete tasks.md", undefined],
  ["list files", "list"],
  ["run ls", "bash"],
  ["cancel", undefined],
  ["stop", undefined],
  ["what time is it?", undefined],
  ["what is today's date?", undefined],
  ["remind me what I said about tea", undefined],
  ["tell me about the plan", undefined],
  ["today tell me about your day", undefined],
  ["continue with the story", undefined],
  ["move the box to the cellar", undefined],
])("“%s” is no wish for a task", async (sentence, tool) => {
  const { steps } = await converse(sentence, tool === undefined ? [] : ["x"], true);
  expect(steps.map(([called]) => called)).toEqual(tool === undefined ? [] : [tool]);
});

test("without its tools it says what is missing, and help does not promise it", async () => {
  const { text } = await converse("remind me at six to call mum", [], false, ["read"]);
  expect(text).toContain("Reminding you needs the tool schedule_task, which I do not have here.");
  expect((await converse("help", [], false, ["read"])).text).not.toContain("remind me");
  const help = (await converse("help", [])).text;
  for (const example of ["remind me tomorrow at six to call mum", "what is planned?"]) expect(help).toContain(example);
});

test.each([
  ["points", `remind me to ${"x . . . ".repeat(990)}x`],
  ["blanks", `every ${`a${" ".repeat(99)}`.repeat(79)}`],
  ["times", `every ${"day, remind ".repeat(650)}`],
  ["kinds", `cancel ${"my the all ".repeat(700)}x`],
  ["a timer without end", `set a ${"x ".repeat(3900)}`],
  ["words of a question", `what is planned ${"for me ".repeat(1100)}x`],
])("%s cannot keep the rules busy", async (_name, sentence) => {
  expect(await cpuMsOf(() => converse(sentence, ["x"], true))).toBeLessThan(1000);
});

function timer(length: string, purpose?: string) {
  const name = purpose === undefined ? length : `${purpose} (${length})`;
  return { remind: `Time is up: ${name}.`, when: `in ${length}`, title: `Timer: ${name}` };
}

type Result = string | { failed: string };

/** Asks and hands back one result for each call until there is an answer; `onlyCalls`: whatever follows does not matter. */
async function converse(sentence: string, results: readonly Result[], onlyCalls = false, offered = tools) {
  const messages: ModelMessage[] = [{ role: "user", content: [{ type: "text", text: sentence }] }];
  const steps: (readonly [tool: string, args: unknown])[] = [];
  for (const result of [...results, undefined]) {
    const final = (await Array.fromAsync(model.stream(requestOf(messages, offered)))).at(-1);
    if (final?.type !== "final") return expect.unreachable("a stream ends with a final event");
    const [made] = final.toolCalls;
    if (!made || (onlyCalls && result === undefined)) return { steps, text: final.text };
    if (result === undefined) return expect.unreachable(`one call too many: ${JSON.stringify(made)}`);
    steps.push([made.tool, made.arguments]);
    const output = typeof result === "string" ? result : result.failed;
    messages.push(
      { role: "assistant", text: final.text, toolCalls: final.toolCalls, model: final.model },
      { role: "tool", callId: made.callId, tool: made.tool, failed: typeof result !== "string", output, images: [] },
    );
  }
  return expect.unreachable("there is always an answer");
}

function requestOf(messages: readonly ModelMessage[], offered: readonly string[]): ModelRequest {
  return {
    ...{ models: ["offline/rules"], system: [], messages, thinking: "off", maxOutputTokens: 1000 },
    tools: offered.map((name) => ({ name, description: "", inputSchema: {} })),
    signal: new AbortController().signal,
  };
}
