import { expect, test } from "vitest";
import { readAction, readBeginning, readChanges, readChoices } from "./read-options.ts";

function written(values: Record<string, string>, ...flags: string[]) {
  return { values, flags: new Set(flags) };
}

test.each([
  [written({ when: "tomorrow at six" }), { when: "tomorrow at six" }],
  [written({ "on-file": "inbox" }), { trigger: { kind: "file", path: "inbox" } }],
  [written({}, "on-mail"), { trigger: { kind: "mail" } }],
  [
    written({ "on-mail": "from=boss@example.org subject=new invoice" }),
    { trigger: { kind: "mail", from: "boss@example.org", subject: "new invoice" } },
  ],
  [written({}, "on-command"), { trigger: { kind: "command" } }],
  [written({ "on-command": "npm test" }), { trigger: { kind: "command", matching: "npm test" } }],
  [written({ "after-task": "report" }), { trigger: { kind: "task", task: "report", when: "any" } }],
  [
    written({ "after-task": "report", outcome: "failed" }),
    { trigger: { kind: "task", task: "report", when: "failed" } },
  ],
  [written({ webhook: "deploy" }), { trigger: { kind: "webhook", name: "deploy", signed: true } }],
  [written({ webhook: "deploy" }, "unsigned"), { trigger: { kind: "webhook", name: "deploy", signed: false } }],
])("what begins a run is read: %j", (options, beginning) => {
  expect(readBeginning(options)).toEqual(beginning);
});

test("a task without a beginning is told how to write one", () => {
  expect(() => readBeginning(written({}))).toThrow(
    'Say when it begins with --when, for example: steward tasks add "Water the plants" --remind --when "every other day at 8".',
  );
});

test("mails that nobody can find out are asked for again", () => {
  expect(() => readBeginning(written({ "on-mail": "the invoices" }))).toThrow("“the invoices” names no mails.");
});

test("two beginnings are one too many", () => {
  expect(() => readBeginning(written({ when: "at six", webhook: "deploy" }))).toThrow(
    "A task begins in one way. Leave out all but one of --when, --webhook.",
  );
});

test("an option is not passed over where it means nothing", () => {
  expect(() => readBeginning(written({ when: "at six" }, "unsigned"))).toThrow("--unsigned belongs to --webhook.");
  expect(() => readBeginning(written({ webhook: "x", outcome: "done" }))).toThrow("--outcome belongs to --after-task.");
});

test("a reminder says its words, a task does them", () => {
  expect(readAction("call mum", written({}, "remind"))).toEqual({ kind: "say", text: "call mum" });
  expect(readAction("call mum", written({}))).toEqual({ kind: "do", prompt: "call mum" });
});

test("every choice is read, and none that was not made", () => {
  expect(readChoices(written({}))).toEqual({});
  const values = {
    ...{ title: "Report", until: "it is sent", "deliver-to": "telegram", missed: "all", overlap: "wait" },
    ...{ budget: "$0.50", model: "ollama/qwen3", agent: "writer", "time-zone": "Asia/Tokyo" },
  };
  expect(readChoices(written(values, "delete-after-run"))).toEqual({
    ...{ title: "Report", until: "it is sent", deliverTo: "telegram", missed: "all", overlap: "wait" },
    ...{ budgetUsd: 0.5, model: "ollama/qwen3", agent: "writer", timeZone: "Asia/Tokyo", deleteAfterRun: true },
  });
});

test("none takes a choice away, and only where it was said", () => {
  expect(readChanges(written({}))).toEqual({});
  expect(
    readChanges(written({ until: "none", budget: "none", model: "none", agent: "none" }, "keep-after-run")),
  ).toEqual({
    ...{ until: null, budgetUsd: null, model: null, agent: null, deleteAfterRun: false },
  });
  expect(readChanges(written({ when: "at six", budget: "2" }))).toEqual({ when: "at six", budgetUsd: 2 });
});

test.each(["", "much", "-1", "0", "1001", "NaN"])("%j is no budget", (budget) => {
  expect(() => readChoices(written({ budget }))).toThrow("Give one up to 1000, such as --budget 0.50.");
});
