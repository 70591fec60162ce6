import { expect, test } from "vitest";
import { type Schedule, TaskDefinition } from "../../contract/task/task.ts";
import { realWorld } from "../../contract/world.ts";
import { readChange } from "./read-wish.ts";

const day = 86_400_000;
const fromMs = Date.parse("2026-11-18T07:00Z");

async function moved(trigger: Schedule, timeZone: string): Promise<unknown> {
  const definition = TaskDefinition.parse({ title: "x", action: { kind: "say", text: "x" }, trigger });
  return (await readChange({ world: realWorld, timeZone: "UTC" }, definition, { timeZone })).trigger;
}

test("in another zone, what comes every other day keeps its time on the wall", async () => {
  const berlin: Schedule = { kind: "every", everyMs: 2 * day, fromMs, timeZone: "Europe/Berlin" };
  expect(await moved(berlin, "Asia/Tokyo")).toEqual({
    ...{ ...berlin, timeZone: "Asia/Tokyo" },
    fromMs: Date.parse("2026-11-17T23:00Z"),
  });
});

test("days without a zone begin to be counted on the wall of the one that is given, and hours stay as they are", async () => {
  const days: Schedule = { kind: "every", everyMs: 2 * day, fromMs };
  expect(await moved(days, "Asia/Tokyo")).toEqual({ ...days, timeZone: "Asia/Tokyo" });
  const hours: Schedule = { kind: "every", everyMs: day / 2, fromMs };
  expect(await moved(hours, "Asia/Tokyo")).toEqual(hours);
});
