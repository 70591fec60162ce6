import { expect, test } from "vitest";
import { eventually } from "../../tests/scenes/eventually.ts";
import type { LiveSignal } from "../contract/wire/live-signal.ts";
import { openLiveBus } from "./live-bus.ts";

const place = { conversation: "web--a", turn: "t" };
const text = (delta: string, step = 0): LiveSignal => ({ type: "live.text", ...place, step, delta });
const reset: LiveSignal = { type: "live.text_reset", ...place, step: 0 };

function busWith(listenerCount: number) {
  const bus = openLiveBus();
  const heard: LiveSignal[] = [];
  bus.subscribe((signal) => heard.push(signal));
  for (let n = 1; n < listenerCount; n++) bus.subscribe(() => {});
  return { bus, heard };
}

test("a few watchers hear every piece as it comes", () => {
  const { bus, heard } = busWith(2);
  bus.emit(text("a"));
  bus.emit(text("b"));
  expect(heard).toEqual([text("a"), text("b")]);
});

test("a crowd hears several pieces as one, and nothing is missing", async () => {
  const { bus, heard } = busWith(100);
  for (const piece of ["a", "b", "c"]) bus.emit(text(piece));
  expect(heard).toEqual([]);
  await eventually(() => heard, [text("abc")]);
});

test("what was gathered is told before anything else that happens", () => {
  const { bus, heard } = busWith(100);
  bus.emit(text("a"));
  bus.emit(reset);
  expect(heard).toEqual([text("a"), reset]);
});

test("a newcomer is told the whole once, also what the others are still waiting for", () => {
  const { bus, heard } = busWith(100);
  bus.emit(text("a"));
  bus.emit(text("b"));
  expect(bus.soFar()).toEqual([{ ...place, step: 0, text: "ab" }]);
  expect(heard).toEqual([text("ab")]);
});

test("words that begin anew are another step to whoever counts them", () => {
  const { bus } = busWith(1);
  bus.emit(text("a"));
  const [first] = bus.soFar();
  bus.emit(text("b"));
  expect(bus.soFar()[0]).toBe(first);
  bus.emit(reset);
  bus.emit(text("ab"));
  expect(bus.soFar()[0]).not.toBe(first);
});

test("nothing is told of a step that is in the log", async () => {
  const { bus, heard } = busWith(100);
  bus.emit(text("a"));
  bus.settle("t");
  bus.emit({ type: "live.text", conversation: "web--b", turn: "u", step: 0, delta: "x" });
  await eventually(() => heard.length, 1);
  expect(bus.soFar().map(({ turn }) => turn)).toEqual(["u"]);
});
