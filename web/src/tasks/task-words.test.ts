import { expect, test } from "vitest";
import { planned, run } from "../../../tests/scenes/page/planned-task.ts";
import { deliveryWords, lastWords, originLine, policyLines, standingOf, whenWords, whyNotNow } from "./task-words.ts";

test("a task that needs nobody says nothing of how it stands", () => {
  expect(standingOf(planned())).toBeUndefined();
  expect(standingOf(planned({ lastRun: run() }))).toBeUndefined();
});

test.each([
  [planned({ lastRun: run({ state: "waiting" }) }), "Waits for your answer"],
  [planned({ state: "paused", lastRun: run({ state: "running" }) }), "Running now"],
  [planned({ state: "paused", lastRun: run({ state: "failed" }) }), "Paused"],
  [planned({ lastRun: run({ state: "failed" }) }), "Last run failed"],
  [planned({ lastRun: run({ state: "missed" }) }), "Last time missed"],
  [planned({ state: "ended", ended: "cancelled" }), "Ended"],
  [planned({ state: "ended", ended: "done" }), "Done"],
])("how a task stands is said plainly (%#): %s", (task, words) => {
  expect(standingOf(task)?.text).toBe(words);
});

test("a task that cannot be run right now says why", () => {
  expect(whyNotNow(planned({ lastRun: run() }))).toBeUndefined();
  expect(whyNotNow(planned({ lastRun: run({ state: "running" }) }))).toBe("A run is under way already.");
  expect(whyNotNow(planned({ lastRun: run({ state: "waiting" }) }))).toMatch(/answer/);
});

test("the last answer is shown by its first line without marks, a failure by its reason", () => {
  const doing = { action: { kind: "do", prompt: "Look" } } as const;
  expect(lastWords(planned({ ...doing, lastRun: run({ answer: "---\n\n## **Two** mails\n\n| From |" }) }))).toBe(
    "Two mails",
  );
  const failed = run({ state: "failed", answer: "half", error: "No model answered." });
  expect(lastWords(planned({ ...doing, lastRun: failed }))).toBe("No model answered.");
  expect(lastWords(planned(doing))).toBeUndefined();
  expect(lastWords(planned({ lastRun: run({ answer: "Tea" }) }))).toBeUndefined();
});

test("policies are told in plain words, and only those that matter", () => {
  expect(policyLines(planned())).toEqual(["If Steward was off: runs once, late"]);
  const rich = planned({
    action: { kind: "do", prompt: "Look" },
    trigger: { kind: "cron", expression: "0 9 * * *", timeZone: "Europe/Berlin" },
    ...{ missed: "skip", overlap: "wait", until: "the parcel is here", budgetUsd: 0.5, model: "a/b" },
  });
  expect(policyLines(rich)).toEqual([
    "If Steward was off: leaves out what was missed",
    "If the run before is still under way: waits for it, then runs",
    "Ends when: the parcel is here",
    "One run may cost $0.50 at most",
    "Asks the model a/b",
  ]);
  const hook = planned({ action: { kind: "do", prompt: "Look" }, trigger: { kind: "webhook", name: "x" } });
  expect(policyLines(hook)).toEqual(["If the run before is still under way: leaves this time out"]);
});

test("foreign words that were around when it was made are named", () => {
  expect(originLine([])).toBeUndefined();
  expect(originLine(["web:example.org"])).toBe("Made while the conversation held text from a page of example.org.");
});

test("where answers go is said by the name of the conversation", () => {
  expect(deliveryWords("web--1", () => "Rome")).toBe("in Rome");
  expect(deliveryWords("telegram", () => undefined)).toBe("in your last conversation by telegram");
  expect(deliveryWords("last", () => undefined)).toBe("where you last wrote");
});

const now = new Date(2026, 10, 16, 20).getTime();

test("times of another place name it, and one moment is told by its own time", () => {
  const cron = { kind: "cron", expression: "0 9 * * *", timeZone: "Europe/Berlin" } as const;
  const daily = planned({ trigger: cron, when: "every day at 09:00" });
  expect(whenWords(daily, "Europe/Berlin", now)).toBe("every day at 09:00");
  expect(whenWords(daily, "Asia/Tokyo", now)).toBe("every day at 09:00 (Europe/Berlin)");
  expect(whenWords(planned({ nextAtMs: 1_000 }), "Asia/Tokyo", now)).toBe("once");
  const past = planned({ trigger: { kind: "once", atMs: new Date(2026, 10, 15, 22).getTime() } });
  expect(whenWords(past, "Asia/Tokyo", now)).toBe("once, yesterday, 22:00");
});
