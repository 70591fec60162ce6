import { expect, test } from "vitest";
import { readTypedLine } from "./typed-line.ts";

test("yes and no answer the one question that waits, and are messages otherwise", () => {
  expect(["yes", "Y", "Yes!", "/approve"].map((line) => readTypedLine(line, 1).kind)).toEqual(Array(4).fill("approve"));
  expect(["no", "N", "No.", "/deny"].map((line) => readTypedLine(line, 1).kind)).toEqual(Array(4).fill("deny"));
  expect(readTypedLine("yes", 0)).toEqual({ kind: "message", text: "yes" });
  expect(readTypedLine("yes", 2).kind).toBe("instead");
});

test("anything else while a question waits is said instead of an answer", () => {
  expect(readTypedLine("yes, but only the first", 1)).toEqual({ kind: "instead", text: "yes, but only the first" });
});

test("commands are said to the page, and what only looks like one is a message", () => {
  expect(["/help", "/new", "/stop"].map((line) => readTypedLine(line, 1).kind)).toEqual(["help", "new", "stop"]);
  expect(readTypedLine("/usage", 0).kind).toBe("elsewhere");
  expect(readTypedLine("//help", 0)).toEqual({ kind: "message", text: "/help" });
  expect(readTypedLine("/usr/bin holds what?", 0).kind).toBe("message");
  expect(readTypedLine("/constructor", 0).kind).toBe("message");
});
