import { expect, test } from "vitest";
import { checkFields, checkValue, problemsUnder } from "./check-value.ts";
import { readField, readFields } from "./field-shape.ts";
import { formatValue, labelFor, readDescription } from "./field-words.ts";

const text = { type: "string" };
const provider = {
  type: "object",
  properties: { kind: { type: "string", enum: ["anthropic", "openai"] }, baseUrl: { type: "string", format: "uri" } },
  required: ["kind"],
};

test("every shape of the settings gets a control of its own", () => {
  const kinds = [
    { type: "boolean" },
    { type: "integer", exclusiveMinimum: 0, maximum: 9007199254740991 },
    { anyOf: [text, { type: "null" }] },
    { anyOf: [{ type: "string", enum: ["a", "b"] }, { type: "null" }] },
    { type: "array", items: text },
    { type: "object", propertyNames: text, additionalProperties: provider },
    { anyOf: [text, { type: "number" }] },
  ].map((schema) => readField(schema));
  expect(kinds.map((field) => [field.shape.kind, field.nullable])).toEqual([
    ["switch", false],
    ["number", false],
    ["text", true],
    ["choice", true],
    ["list", false],
    ["record", false],
    ["json", false],
  ]);
  expect(kinds[1]?.shape).toEqual({ kind: "number", whole: true, least: 1 });
});

test("a number out of range is told with what is allowed", () => {
  const field = readField({ type: "integer", minimum: 2, maximum: 50 });
  expect(checkValue(field, 51)).toEqual([{ path: "", message: "This must be a whole number from 2 to 50." }]);
  expect(checkValue(field, "many")).toEqual([{ path: "", message: "This must be a number from 2 to 50." }]);
  expect(checkValue(field, 2)).toEqual([]);
  expect(checkValue(readField({ type: "number", exclusiveMinimum: 0 }), 0)).toHaveLength(1);
});

test("nothing is right where nothing is allowed and wrong elsewhere", () => {
  expect(checkValue(readField({ anyOf: [{ type: "number" }, { type: "null" }] }), null)).toEqual([]);
  expect(checkValue(readField({ type: "number" }), null)).toHaveLength(1);
});

test("a model's name without its provider is told in words", () => {
  const field = readField({ type: "array", items: { type: "string", pattern: "^[a-z0-9-]+\\/.+$" } });
  expect(checkValue(field, ["ollama/llama3", "gpt"])).toEqual([
    { path: "1", message: "A model is named provider/model, such as ollama/llama3.2." },
  ]);
});

test("a problem deep inside a record is found beside its own field", () => {
  const field = readField({
    type: "object",
    additionalProperties: provider,
    propertyNames: { pattern: "^[a-z0-9-]+$" },
  });
  const problems = checkValue(field, {
    mine: { kind: "openai", baseUrl: "not an address" },
    "My Own": { kind: "openai" },
  });
  expect(problems.map((problem) => problem.path)).toEqual(["mine.baseUrl", "My Own"]);
  expect(problemsUnder(problemsUnder(problems, "mine"), "baseUrl")).toHaveLength(1);
});

test("an argument that is needed and missing is asked for, an optional one is not", () => {
  const fields = readFields({
    type: "object",
    properties: { path: text, limit: { type: "integer" } },
    required: ["path"],
  });
  expect(checkFields(fields, {})).toEqual([{ path: "path", message: "This is needed." }]);
  expect(checkFields(fields, { path: "a.md" })).toEqual([]);
});

test("names become words, with their unit in brackets", () => {
  expect(["timeoutSeconds", "perDayUsd", "apiKeyEnv", "url", "days"].map(labelFor)).toEqual([
    "Timeout (seconds)",
    "Per day (US dollars)",
    "API key environment variable",
    "URL",
    "Days",
  ]);
});

test("a description gives up what it says about nothing and about each option", () => {
  expect(readDescription("US dollars in a day; null: no limit.")).toEqual({
    text: "US dollars in a day.",
    whenEmpty: "no limit",
    options: {},
  });
  expect(
    readDescription("What commands run in. auto: bwrap, or none at all. none: no sandbox.", ["auto", "none"]),
  ).toEqual({
    text: "What commands run in.",
    options: { auto: "Bwrap, or none at all.", none: "No sandbox." },
  });
  expect(readDescription("Where it is, such as http://127.0.0.1:8888. Fine.").text).toBe(
    "Where it is, such as http://127.0.0.1:8888. Fine.",
  );
});

test("values are told in words", () => {
  expect([null, true, ["a", "b"], { a: { b: 1 } }, []].map(formatValue)).toEqual([
    "nothing",
    "on",
    "a, b",
    "a: b: 1",
    "an empty list",
  ]);
});
