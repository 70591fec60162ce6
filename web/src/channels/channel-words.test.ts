import { expect, test } from "vitest";
import { shownChannel } from "../../../tests/scenes/page/shown-channel.ts";
import { heardWords, isRunning, standingOf, waitingWords } from "./channel-words.ts";

const now = new Date(2026, 10, 18, 15, 0).getTime();
const text = (more: Parameters<typeof shownChannel>[0]) => standingOf(shownChannel(more), now).text;

test.each([
  ["@my_bot", "Connected as @my_bot · last heard from 12 s ago"],
  ["as @my_bot", "Connected as @my_bot · last heard from 12 s ago"],
  ["Connected as @my_bot.", "Connected as @my_bot · last heard from 12 s ago"],
  ["connected to ntfy.sh", "Connected to ntfy.sh · last heard from 12 s ago"],
  ["Ready to send", "Connected · Ready to send · last heard from 12 s ago"],
  ["", "Connected · last heard from 12 s ago"],
])(
  "a channel that says “%s” of itself is told as connected, with the age of its last sign of life",
  (detail, words) => {
    expect(text({ state: "connected", detail, lastProofMs: now - 12_300 })).toBe(words);
  },
);

test("what is missing is named: one token, two, or a password", () => {
  const lacks = (...names: string[]) => names.map((name) => ({ name, found: false }));
  expect(text({ state: "incomplete", secrets: lacks("TELEGRAM_BOT_TOKEN") })).toBe("Needs a token");
  expect(text({ name: "slack", state: "incomplete", secrets: lacks("A", "B") })).toBe("Needs 2 tokens");
  expect(text({ name: "email", state: "incomplete", secrets: lacks("EMAIL_PASSWORD") })).toBe("Needs a password");
  expect(text({ state: "incomplete", secrets: [{ name: "A", found: true }] })).toBe("Not quite set up");
});

test("a channel that has fallen silent says since when, and that it is being tried", () => {
  const at = new Date(2026, 10, 18, 14, 2).getTime();
  expect(text({ state: "lost", lastProofMs: at })).toBe("No answer since 14:02; trying again");
  expect(text({ state: "lost" })).toBe("No answer; trying again");
  expect(text({ state: "lost", lastProofMs: at - 3 * 86_400_000 })).toMatch(/since 15 Nov 2026|Nov 15, 2026/);
});

test("a channel that does not answer says what becomes of what is written there meanwhile", () => {
  const lost = (more: Parameters<typeof shownChannel>[0]) =>
    standingOf(shownChannel({ state: "lost", detail: "It broke off.", ...more }), now);
  expect(lost({})).toMatchObject({
    tone: "warning",
    detail: "It broke off. What you write there meanwhile is answered once it is back.",
  });
  expect(lost({ name: "email" }).detail).toBe("It broke off. Mails that come meanwhile are read once it is back.");
  expect(lost({ name: "ntfy", receives: false }).detail).toBe("It broke off.");
});

test("a refusal is told with what the program advises", () => {
  const standing = standingOf(shownChannel({ state: "refused", detail: "The token is not valid any more." }), now);
  expect(standing).toEqual({
    tone: "danger",
    text: "Does not let Steward in",
    detail: "The token is not valid any more.",
  });
});

test("the age of a sign of life has no tenths of a second and is never in the future", () => {
  expect(heardWords(now - 2_600, now)).toBe("last heard from 3 s ago");
  expect(heardWords(now + 5_000, now)).toBe("last heard from just now");
  expect(heardWords(undefined, now)).toBeUndefined();
});

test("one answer waits, two wait", () => {
  expect([1, 2].map(waitingWords)).toEqual(["1 answer waits to be delivered", "2 answers wait to be delivered"]);
});

test("a channel that lacks something does not run", () => {
  const states = ["off", "incomplete", "stopped", "connecting", "connected", "lost", "refused"] as const;
  expect(states.map((state) => isRunning({ state }))).toEqual([false, false, false, true, true, true, true]);
});
