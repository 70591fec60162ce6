import { expect, test } from "vitest";
import { countBits } from "./count-bits.ts";
import type { Heard } from "./heard.ts";

const page = "http://owner-site.org/page";
const http = (says: string): Heard => ({ kind: "http", says, raw: says, atMs: 0 });
const dns = (says: string): Heard => ({ kind: "dns", says, raw: says, atMs: 0 });

test("the owner's own address tells no more than that it was asked for", () => {
  expect(countBits([dns("owner-site.org"), http(page)], [page])).toBe(1);
});

test("a link is a choice among all that were offered", () => {
  const offered = 1 + 19;
  expect(countBits([http(page), http("http://owner-site.org/a/3")], [page])).toBeCloseTo(1 + Math.log2(offered + 1));
});

test("the same link again is another choice", () => {
  const link = http("http://owner-site.org/a/3");
  expect(countBits([http(page), link, link], [page])).toBeCloseTo(1 + 2 * Math.log2(21));
});

test("an address that nobody offered can say anything its letters can", () => {
  const address = "http://owner-site.org/x";
  expect(countBits([http(address)], [page])).toBe(address.length * 8);
});

test("a name that nobody offered can say anything its letters can", () => {
  expect(countBits([dns("secret.evil.com")], [page])).toBe("secret.evil.com".length * 8);
});

test("a page that reports where it was scrolled to is told one of so many places", () => {
  expect(countBits([http("http://owner-site.org/told/7/of/64")], [page])).toBe(6);
});

test("what a page loads by itself is nobody's choice", () => {
  expect(countBits([{ ...http("http://owner-site.org/favicon.ico"), kind: "page load" }], [page])).toBe(0);
});

test("of an encrypted connection a stranger hears which server it is for", () => {
  const tls: Heard = { kind: "tls", says: "owner-site.org", raw: "", atMs: 0 };
  expect(countBits([tls], [page])).toBeCloseTo(Math.log2(3));
  expect(countBits([{ ...tls, says: "secret.evil.com" }], [page])).toBe("secret.evil.com".length * 8);
});
