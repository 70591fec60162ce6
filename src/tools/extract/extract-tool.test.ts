import { expect, test } from "vitest";
import { readField } from "./extract-tool.ts";

test.each([
  ["total:number How much is it?", { name: "total", kind: "number", question: "How much is it?" }],
  ["due:date When?", { name: "due", kind: "date", question: "When?" }],
  ["paid:boolean Is it paid?", { name: "paid", kind: "boolean", question: "Is it paid?" }],
  [
    "currency:EUR|USD Which one?",
    { name: "currency", kind: "choice", choices: ["EUR", "USD"], question: "Which one?" },
  ],
])("%s is a field", (text, field) => {
  expect(readField(text)).toEqual(field);
});

test.each(["", "total", "total:number", "total:text What does it say?", "9x:number How many?", "only:one| Which?"])(
  "%j is none",
  (text) => {
    expect(readField(text)).toBeUndefined();
  },
);
