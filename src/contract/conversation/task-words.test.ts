import { expect, test } from "vitest";
import { here, message, owner, started, told, words } from "../../../tests/scenes/conversation.ts";
import type { NewEvent } from "../event.ts";
import { questionIn, questionWords, runWords, taskHeading } from "./task-words.ts";

const run = { task: "t1", dueAtMs: Date.parse("2026-11-16T18:00:00"), cause: "schedule" } as const;
const reply = (task: Extract<NewEvent, { type: "reply.written" }>["task"]): NewEvent => ({
  ...here,
  type: "reply.written",
  channel: "web",
  text: "Call the dentist.",
  ...(task && { task }),
});

test("a reminder, an answer and a question of a task are told apart", () => {
  const heading = (task: Extract<NewEvent, { type: "reply.written" }>["task"]) => {
    const item = told(reply(task)).items.at(-1);
    return item?.kind === "answer" && item.task ? taskHeading(item.task, item.text) : undefined;
  };
  expect(heading({ id: "t1", title: "Call the dentist…", run })).toBe("Reminder");
  expect(heading({ id: "t1", title: "Dentist", run })).toBe("Reminder · Dentist");
  expect(heading({ id: "t1", title: "Dentist" })).toBe("Task · Dentist");
  expect(heading({ id: "t1", title: "Dentist", ask: "a1" })).toBe("Task asks · Dentist");
  expect(heading(undefined)).toBeUndefined();
});

test("the question of a task can be told without the words around it", () => {
  expect(questionIn(questionWords("Run a command\n\nls"))).toBe("Run a command\n\nls");
  expect(questionIn("May I?")).toBe("May I?");
  const [item] = told(reply({ id: "t1", title: "Dentist", ask: "a1" })).items;
  expect(item).toMatchObject({ task: { says: "question", ask: "a1" } });
});

test("a task that says what was said before is heard again", () => {
  const said = reply({ id: "t1", title: "Dentist", run });
  expect(words(told(said, said))).toEqual(["answer: Call the dentist.", "answer: Call the dentist."]);
});

test("what a task asks for says when it was due and what it stands for", () => {
  const at = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(run.dueAtMs);
  expect(runWords(run)).toBe(`Task · due ${at}`);
  expect(runWords({ ...run, missed: 3, attempt: 2 })).toBe(`Task · due ${at}, also for 3 times missed before, try 2`);
  expect(runWords({ ...run, cause: "webhook" })).toBe(`Task · begun by a webhook, ${at}`);
  const [asked] = told(message("Look at the mail", { run, data: "{}" }), started()).items;
  expect(asked).toMatchObject({ kind: "person", run, data: "{}" });
});

test("a message that is taken back waits no longer and says so", () => {
  const back: NewEvent = { ...here, type: "message.withdrawn", message: 1, by: owner };
  const conversation = told(message("Look at the mail"), back);
  expect(conversation.waiting).toEqual([]);
  expect(words(conversation)).toEqual(["person: Look at the mail", "notice: Taken back before it began."]);
});
