import { expect, test } from "vitest";
import { isNamedIn } from "./named-destinations.ts";

const named: readonly [string, string][] = [
  ["bob@example.com", "Write to Bob@Example.com."],
  ["https://example.org", "Please read https://example.org/a?b=1"],
  ["https://example.org", "what does example.org say today?"],
  ["https://example.org/", "look at example.org"],
  ["https://example.org/a?b=1", "Please read https://example.org/a?b=1, will you?"],
];
test.each(named)("%s is named by: %s", (destination, text) => {
  expect(isNamedIn(text, destination)).toBe(true);
});

const unnamed: readonly [string, string][] = [
  ["ob@example.com", "write to bob@example.com"],
  ["bob@example.co", "write to bob@example.com"],
  ["bob@example.com", "write to bob@example.com.evil.test"],
  ["https://example.org/a?secret=1", "look at https://example.org/a"],
  ["https://example.org/secret/path", "look at example.org"],
  ["https://example.org", "look at https://example.org.evil.test/"],
  ["https://example.org", "look at https://evil.test/example.org"],
  ["https://example.org", "mail ann@example.org"],
  ["http://example.org:8080", "look at https://example.org"],
  ["https://secret.example.org", "look at example.org"],
  ["", "look at this"],
];
test.each(unnamed)("%s is not named by: %s", (destination, text) => {
  expect(isNamedIn(text, destination)).toBe(false);
});
