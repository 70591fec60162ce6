import { expect, test } from "vitest";
import { ended, message, started, step, told } from "../../../../tests/scenes/conversation.ts";
import { answerText, lastOwnMessage, questionOf, setAsideWords } from "./set-aside.ts";

const second = [
  message("again"),
  started([5], "t2"),
  { ...step("Hello again!"), turn: "t2" },
  { ...ended(), turn: "t2" },
] as Parameters<typeof told>;
const { items } = told(message("hi"), started(), step("Hello!"), ended(), ...second);

test("an answer belongs to the message before it", () => {
  expect(questionOf(items, "t1")?.text).toBe("hi");
  expect(questionOf(items, "t2")?.text).toBe("again");
});
test("what is set aside is counted in messages, not in steps", () => {
  expect(setAsideWords(items, 1)).toBe("3 later messages are set aside");
  expect(setAsideWords(items, 5)).toBe("1 later message is set aside");
  expect(setAsideWords(told(message("hi")).items, 1)).toBeUndefined();
});
test("the last own message is found, and an answer is copied whole", () => {
  expect(lastOwnMessage(items)?.text).toBe("again");
  const twoSteps = told(message("hi"), started(), step("One."), step("Two.", { step: 1 }), ended());
  expect(answerText(twoSteps.items, "t1")).toBe("One.\n\nTwo.");
});
