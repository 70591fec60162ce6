import { describe, expect, test } from "vitest";
import { toolSubject, toolSummary } from "./tool-summary.ts";

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

describe("the line of a tool call", () => {
  test("names what it is done to", () => {
    expect(toolSubject({ timeout: 5, path: "notes/a.md", content: "…" })).toBe("notes/a.md");
    expect(toolSubject({ question: "why?" })).toBe("why?");
    expect(toolSubject({ path: ".", pattern: "dentist" })).toBe("dentist");
    expect(toolSummary({ path: ".", pattern: "dentist" })).toBe("dentist path=.");
    expect(toolSubject({ when: "at six", remind: "Call Anna" })).toBe("Call Anna");
    expect(toolSubject({ depth: 2 })).toBe("");
    expect(toolSubject(undefined)).toBe("");
  });
  test("cannot be broken into several or turned around", () => {
    expect(toolSubject({ command: "echo a\n\nrm -rf /\u202egnp.exe" })).toBe("echo a rm -rf / gnp.exe");
  });
});
