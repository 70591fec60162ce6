import { expect, test } from "vitest";
import { destinationsOf, hostLabel } from "./load-page.ts";

test.each([
  ["https://Example.org/a/b", ["https://example.org"]],
  ["https://example.org:8443", ["https://example.org:8443"]],
  ["https://example.org/?q=1", ["https://example.org", "https://example.org/?q=1"]],
  ["https://example.org/a#data", ["https://example.org", "https://example.org/a#data"]],
  [`https://example.org/${"a".repeat(199)}`, ["https://example.org"]],
  [`https://example.org/${"a".repeat(200)}`, ["https://example.org", `https://example.org/${"a".repeat(200)}`]],
  ["not a url", ["not a url"]],
  ["file:///etc/passwd", ["file:///etc/passwd"]],
])("%s goes to %j", (url, expected) => {
  expect(destinationsOf(url)).toEqual(expected);
});

test("a label names the host, and its port where it is not the usual one", () => {
  expect(hostLabel("https://Example.org/a")).toBe("web:example.org");
  expect(hostLabel("http://example.org:8080/")).toBe("web:example.org:8080");
  expect(hostLabel("nonsense")).toBeUndefined();
});
