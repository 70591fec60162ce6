import { expect, test } from "vitest";
import { reconnectDelayMs } from "./reconnect-delay.ts";

test("the pause between attempts doubles and stops growing at five seconds", () => {
  const pauses = [0, 1, 2, 3, 4, 5, 6, 1000].map((failures) => reconnectDelayMs(failures, 1));
  expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
});

test("chance shortens a pause by half at most", () => {
  expect(reconnectDelayMs(3, 0)).toBe(1000);
});
