import { expect, test } from "vitest";
import { planned } from "../../../../tests/scenes/page/planned-task.ts";
import {
  checkDraft,
  createEventParams,
  createParams,
  dayWords,
  draftOf,
  editParams,
  emptyDraft,
} from "./task-draft.ts";

const cron = { kind: "cron", expression: "0 9 * * 1-5", timeZone: "Europe/Berlin" } as const;
const daily = planned({ trigger: cron, when: "every weekday at 09:00 (Europe/Berlin)", budgetUsd: 0.5, model: "a/b" });

test("a form that was only begun says what is missing", () => {
  expect(checkDraft(emptyDraft)).toEqual({
    words: "Write what is to be done.",
    when: "Write when, such as “tomorrow at 9”.",
  });
  expect(checkDraft({ ...emptyDraft, words: "x", begins: "file" })).toEqual({ path: "Write which file or folder." });
  expect(checkDraft({ ...emptyDraft, words: "x", when: "now", budgetUsd: "much" })).toHaveProperty("budgetUsd");
  expect(checkDraft({ ...emptyDraft, words: "x", when: "now", budgetUsd: "0,50" })).toEqual({});
});

test("a day that was pointed at is named as the gateway reads it", () => {
  const now = new Date(2026, 10, 16, 15, 30).getTime();
  expect(dayWords("2026-11-16", now)).toBe("on Monday 16 November at 16");
  expect(dayWords("2026-11-20", now)).toBe("on Friday 20 November at 9");
  expect(dayWords("2027-01-05", now)).toBe("on Tuesday 5 January 2027 at 9");
});

test("what is left empty is left to the gateway", () => {
  const draft = { ...emptyDraft, action: "say" as const, words: " Tea ", when: " at six " };
  expect(createParams(draft, "k")).toEqual({
    when: "at six",
    action: { kind: "say", text: "Tea" },
    ...{ deliverTo: "last", missed: "once", idempotencyKey: "k" },
  });
});

test("a task that waits for something names it", () => {
  const begins = (more: Partial<typeof emptyDraft>) =>
    createEventParams({ ...emptyDraft, words: "Look", ...more }, "k").trigger;
  expect(begins({ begins: "webhook", hookName: "invoice", signed: false })).toEqual({
    ...{ kind: "webhook", name: "invoice", signed: false },
  });
  expect(begins({ begins: "file", path: "notes/" })).toEqual({ kind: "file", path: "notes/" });
  expect(begins({ begins: "mail", mailFrom: " @example.org " })).toEqual({ kind: "mail", from: "@example.org" });
  expect(begins({ begins: "command" })).toEqual({ kind: "command" });
  expect(begins({ begins: "task", afterTask: "t1", afterWhen: "failed" })).toEqual({
    ...{ kind: "task", task: "t1", when: "failed" },
  });
});

test("a form that was opened and not touched changes nothing", () => {
  expect(editParams(daily, draftOf(daily))).toEqual({ id: "t1" });
});

test("only what was changed is sent, and what was emptied is taken away", () => {
  const draft = { ...draftOf(daily), words: "Water them well", budgetUsd: "", model: "" };
  expect(editParams(daily, draft)).toEqual({
    id: "t1",
    action: { kind: "say", text: "Water them well" },
    title: "Water them well",
    ...{ budgetUsd: null, model: null },
  });
  expect(draftOf(daily).when).toBe("every weekday at 09:00");
  expect(editParams(daily, { ...draftOf(daily), when: "every day at 8" })).toEqual({
    id: "t1",
    when: "every day at 8",
  });
});

test("a name of its own stays when the words change, and one that is emptied is taken from them", () => {
  const named = planned({ title: "Plants" });
  expect(editParams(named, { ...draftOf(named), words: "Water them well" })).not.toHaveProperty("title");
  expect(editParams(named, { ...draftOf(named), title: "" })).toEqual({ id: "t1", title: "Water the plants" });
  expect(editParams(named, { ...draftOf(named), title: "Herbs" })).toEqual({ id: "t1", title: "Herbs" });
});
