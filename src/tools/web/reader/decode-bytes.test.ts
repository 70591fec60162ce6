import { expect, test } from "vitest";
import { decodeBytes } from "./decode-bytes.ts";

const html = { charset: "", isHtml: true };

test("a byte order mark outweighs the server, and the server outweighs the page", () => {
  expect(decodeBytes(Buffer.from("\ufeffé"), { charset: "iso-8859-1", isHtml: false })).toBe("é");
  expect(decodeBytes(Buffer.from('<meta charset="iso-8859-1">é'), { charset: "UTF-8", isHtml: true })).toContain("é");
});

test.each([
  ['<meta charset="shift_jis">', Uint8Array.of(0x93, 0xfa, 0x96, 0x7b), "日本"],
  ['<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', Uint8Array.of(0xcd, 0xc9, 0xd2), "мир"],
  ["<?xml version='1.0' encoding='iso-8859-2'?>", Uint8Array.of(0xb1), "ą"],
  ['<meta charset="utf-16">', Buffer.from("é"), "é"],
  ['<meta charset="no-such-thing">', Buffer.from("é"), "é"],
])("%s is believed as far as it makes sense", (declaration, bytes, expected) => {
  expect(decodeBytes(Buffer.concat([Buffer.from(declaration), bytes]), html)).toBe(declaration + expected);
});

test("a declaration in plain text is only text", () => {
  expect(decodeBytes(Buffer.from('<meta charset="koi8-r">é'), { charset: "", isHtml: false })).toContain("é");
});
