import { expect, test } from "vitest";
import type { Followed } from "../../../src/contract/wire/client.ts";
import { openStepsUnderWay } from "./steps-under-way.ts";

const place = { conversation: "web--a", turn: "t" };
const text = (step: number, delta: string): Followed => ({ type: "live.text", ...place, step, delta });

function after(...told: readonly Followed[]) {
  const steps = openStepsUnderWay();
  for (const followed of told) steps.take(followed);
  return steps.soFar();
}

test("whoever comes later is told the text from its beginning", () => {
  expect(after(text(0, "Hel"), text(0, "lo"))).toEqual([
    { type: "live.text_reset", ...place, step: 0 },
    { type: "live.text", ...place, step: 0, delta: "Hello" },
  ]);
});

test("a new step begins anew", () => {
  expect(after(text(0, "old"), text(1, "new"))).toContainEqual(text(1, "new"));
});

test("what was taken back or is finished is not told", () => {
  expect(after(text(0, "a"), { type: "live.text_reset", ...place, step: 0 })).toEqual([]);
  const finished = { type: "turn.finished", seq: 1, atMs: 0, ...place, ending: "answered" } as const;
  expect(after(text(0, "a"), finished)).toEqual([]);
});
