import { expect, test } from "vitest";
import { codeInHash, codeInPaste, endSession, exchangeCode } from "./sign-in.ts";

test("the code is read from the address, and an address without one has none", () => {
  expect(codeInHash("#code=ab-12")).toBe("ab-12");
  expect(codeInHash("#code=")).toBeUndefined();
  expect(codeInHash("")).toBeUndefined();
  expect(codeInHash("#top")).toBeUndefined();
});

test("a person may paste the code or the whole link", () => {
  expect(codeInPaste(" ab-12 \n")).toBe("ab-12");
  expect(codeInPaste("http://127.0.0.1:18789/#code=ab-12")).toBe("ab-12");
  expect(codeInPaste("http://127.0.0.1:18789/#")).toBeUndefined();
  expect(codeInPaste("  ")).toBeUndefined();
});

test("the code goes to the page's own server and nowhere else", async () => {
  const asked: unknown[] = [];
  const fetcher: typeof fetch = async (url, options) => {
    asked.push([url, options?.method, options?.body]);
    return new Response(null, { status: 204 });
  };
  expect(await exchangeCode(fetcher, "ab-12")).toEqual({ ok: true });
  expect(asked).toEqual([["/api/session", "POST", '{"code":"ab-12"}']]);
});

test.each([
  [401, "not valid any more"],
  [429, "Wait a minute"],
  [500, "Try again"],
])("an answer of %i is explained", async (status, words) => {
  expect(await exchangeCode(async () => new Response(null, { status }), "x")).toEqual({
    ok: false,
    problem: expect.stringContaining(words),
  });
});

test("a server that is away is not mistaken for a wrong code", async () => {
  const unreachable = async () => {
    throw new TypeError("Failed to fetch");
  };
  expect(await exchangeCode(unreachable, "x")).toMatchObject({ problem: expect.stringContaining("not answering") });
  expect(await endSession(unreachable)).toMatchObject({ problem: expect.stringContaining("still signed in") });
});
