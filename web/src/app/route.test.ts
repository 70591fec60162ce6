import { expect, test } from "vitest";
import type { Page } from "./app.ts";
import { openSessionKey, readRoute, windowTitle } from "./route.ts";

const page = (path: string): Page => ({
  path,
  title: path,
  icon: "chat",
  about: "",
  tag: `steward-${path}-page`,
  load: () => Promise.resolve(),
});
const pages = [page("chat"), page("inbox")];

test.each([
  ["/", "chat", []],
  ["/chat", "chat", []],
  ["/chat/web--42", "chat", ["web--42"]],
  ["/chat/web--42/", "chat", ["web--42"]],
  ["/inbox?x=1#y", "inbox", []],
  ["/chat/web--a%20b", "chat", ["web--a b"]],
  ["/nowhere", undefined, []],
  ["/chat/%E0%A4%A", undefined, []],
])("%s opens %s with %j", (path, name, rest) => {
  const route = readRoute(pages, path);
  expect(route.page?.path).toBe(name);
  expect(route.rest).toEqual(rest);
});

test("only the chat page has a conversation open", () => {
  expect(openSessionKey(readRoute(pages, "/chat/web--42"))).toBe("web--42");
  expect(openSessionKey(readRoute(pages, "/"))).toBeUndefined();
  expect(openSessionKey(readRoute(pages, "/inbox/web--42"))).toBeUndefined();
});

test("the window's title counts what waits for a person", () => {
  expect(windowTitle("Inbox", 0)).toBe("Inbox · Steward");
  expect(windowTitle("Rome", 2)).toBe("(2) Rome · Steward");
});
