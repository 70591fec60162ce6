import { expect, test } from "vitest";
import type { NewEvent } from "../../../../src/contract/event.ts";
import type { LiveSignal } from "../../../../src/contract/wire/live-signal.ts";
import {
  answered,
  asked,
  calling,
  ended,
  message,
  owner,
  sent,
  started,
  step,
  told,
  turn,
  writing,
} from "../../../../tests/scenes/conversation.ts";
import { activityWords, announcementOf } from "./announcement.ts";

const waiting: NewEvent = { ...turn, type: "turn.waiting", approvals: ["ap1"] };
function announced(...happenings: Parameters<typeof told>): (string | undefined)[] {
  return happenings.map((_, count) =>
    announcementOf(told(...happenings.slice(0, count)), told(...happenings.slice(0, count + 1))),
  );
}

test("a screen reader hears when an answer begins and ends, and not each word of it", () => {
  expect(announced(message("hi"), started(), writing("He"), writing("llo"), step("Hello"), ended())).toEqual([
    undefined,
    "Steward is answering",
    undefined,
    undefined,
    undefined,
    "Answer finished",
  ]);
});
test("a question to the person is announced once", () => {
  const heard = announced(message("hi"), started(), calling, asked, waiting, answered("approved"), sent);
  expect(heard.filter((words) => words === "Approval needed")).toHaveLength(1);
});
test("an ending that is no answer is not called one", () => {
  expect(announced(message("hi"), started(), ended("budget")).at(-1)).toBe("Steward ended without a full answer");
});
test("the line below says what goes on, and nothing while the answer itself shows it", () => {
  expect(activityWords(told(message("hi"), started()))).toBe("Working…");
  expect(activityWords(told(message("hi"), started(), writing("He")))).toBeUndefined();
  const thinking: LiveSignal = { ...turn, type: "live.reasoning", step: 0, delta: "Hm" };
  expect(activityWords(told(message("hi"), started(), thinking))).toBeUndefined();
  expect(activityWords(told(message("hi"), started(), calling, asked, waiting))).toBeUndefined();
  const stopping: NewEvent = { ...turn, type: "turn.stop_requested", by: owner };
  expect(activityWords(told(message("hi"), started(), stopping))).toBe("Stopping…");
  expect(activityWords(told(message("hi"), started(), step("Hello"), ended()))).toBeUndefined();
});
