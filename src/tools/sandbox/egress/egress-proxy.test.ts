import { expect, test } from "vitest";
import { isAllowedHost } from "./egress-proxy.ts";

const list = ["api.example.com", "*.githubusercontent.com"];

test.each([
  "api.example.com",
  "API.Example.COM",
  "api.example.com.",
  "raw.githubusercontent.com",
  "a.b.githubusercontent.com",
])("%s is on the list", (host) => {
  expect(isAllowedHost(list, host)).toBe(true);
});

test.each([
  "example.com",
  "x.api.example.com",
  "githubusercontent.com",
  "evilgithubusercontent.com",
  "api.example.com.evil.net",
  "",
  ".",
])("%j is not on the list", (host) => {
  expect(isAllowedHost(list, host)).toBe(false);
});

test("an empty list means no host at all", () => {
  expect(isAllowedHost([], "api.example.com")).toBe(false);
});
