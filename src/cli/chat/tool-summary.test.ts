import { expect, test } from "vitest";
import { toolSummary } from "./tool-summary.ts";

test("the telling argument comes first and without its name", () => {
  expect(toolSummary({ timeoutMs: 500, command: "npm test" })).toBe("npm test timeoutMs=500");
});
test("arguments of any shape are one short line that cannot control the terminal", () => {
  expect(toolSummary(undefined)).toBe("");
  expect(toolSummary([1, 2])).toBe("[1,2]");
  expect(toolSummary("{broken\u001b[2J\n")).toBe("{broken");
  expect(toolSummary({ path: "a\u001b]0;x\u0007\nb" })).toBe("a b");
  expect([...toolSummary({ text: "x".repeat(5000) })].length).toBeLessThanOrEqual(200);
});
