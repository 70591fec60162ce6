import { expect, test } from "vitest";
import { openToasts } from "./toasts.ts";

function scene() {
  let pending: { ms: number; run(): void }[] = [];
  const toasts = openToasts({
    after(ms, run) {
      pending.push({ ms, run });
      return () => {};
    },
  });
  return {
    toasts,
    texts: () => toasts.shown.value.map((one) => one.text),
    longest: () => Math.max(...pending.map((one) => one.ms)),
    later() {
      const due = pending;
      pending = [];
      for (const one of due) one.run();
    },
  };
}

test("a line goes away by itself", () => {
  const { toasts, texts, later } = scene();
  toasts.say("Saved");
  expect(texts()).toEqual(["Saved"]);
  later();
  expect(texts()).toEqual([]);
});

test("a line whose matter is over is taken away at once, also while somebody points at it", () => {
  const { toasts, texts } = scene();
  const takeAway = toasts.say("Press Esc once more to stop");
  toasts.say("Saved");
  toasts.hold(true);
  takeAway();
  expect(texts()).toEqual(["Saved"]);
});

test("the same words do not pile up, and only the newest three lines are shown", () => {
  const { toasts, texts } = scene();
  for (const text of ["a", "a", "b", "c", "d"]) toasts.say(text);
  expect(texts()).toEqual(["b", "c", "d"]);
});

test("a line that somebody points at stays until they leave it", () => {
  const { toasts, texts, later } = scene();
  toasts.say("Deleted", { action: { label: "Undo", run: () => {} } });
  toasts.hold(true);
  later();
  expect(texts()).toEqual(["Deleted"]);
  toasts.hold(false);
  expect(texts()).toEqual([]);
});

test("bad news stays longer than good news", () => {
  const good = scene();
  const bad = scene();
  good.toasts.say("x", { tone: "good" });
  bad.toasts.say("x", { tone: "error" });
  expect(bad.longest()).toBeGreaterThan(good.longest());
});
