import { expect, test } from "vitest";
import { bodyKind, charsetOf } from "./body-kind.ts";

test.each([
  ["text/html; charset=utf-8", "<p>x", "html"],
  ["application/xhtml+xml", "<html>", "html"],
  ["application/problem+json", "{}", "json"],
  ["application/ld+json", "{}", "json"],
  ["TEXT/PLAIN", "<html>", "text"],
  ["application/rss+xml", "<rss>", "text"],
  ["image/svg+xml", "<svg>", "text"],
  ["", "\n <!DOCTYPE html><p>", "html"],
  ["", "just words", "text"],
  ["application/octet-stream", "%PDF-1.7", "pdf"],
  ["application/octet-stream", "PK\x03\x04\0\0", "binary"],
  ["text/plain", "a\0b", "binary"],
  ["text/plain", "\xff\xfea\0", "text"],
  ["image/png", "whatever", "binary"],
  ["application/zip", "PK", "binary"],
])("%s beginning with %j is %s", (type, start, expected) => {
  expect(bodyKind(type, Buffer.from(start, "latin1"))).toBe(expected);
});

test("the alphabet is read with and without quotes", () => {
  expect(charsetOf('text/html; charset="UTF-8"')).toBe("UTF-8");
  expect(charsetOf("text/html;Charset = koi8-r; x=y")).toBe("koi8-r");
  expect(charsetOf("text/html")).toBe("");
});
