import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { textForReader } from "./box-reader.ts";

const everyByte = String.fromCodePoint(...Array.from({ length: 0x2ff }, (_, position) => position + 1));
const awkward = [
  "'",
  "''a'",
  '"$x"',
  "`id`",
  "$(id)",
  "a\nb\n",
  "",
  " ",
  "\\",
  "\\n",
  "*",
  "~",
  "#",
  "a;b",
  "\t",
  "\r",
];
const words = [...awkward, "naïve 日本 🦊", everyByte, "long ".repeat(5_000)];

test("a shell that reads the text runs the very same words", () => {
  const text = textForReader(["printf", "[%s]", ...words], false) ?? "";
  const { stdout } = spawnSync("/bin/sh", { encoding: "utf8", input: text });
  expect(stdout).toBe(words.map((word) => `[${word}]`).join(""));
});

test("a text that did not arrive whole is not run at all", () => {
  const text = textForReader(["printf", "ran"], false) ?? "";
  for (let length = 0; length < text.length - 2; length++)
    expect(spawnSync("/bin/sh", { encoding: "utf8", input: text.slice(0, length) }).stdout).toBe("");
});

test.each([
  { what: "begins with a dash", argv: ["-c", "a"] },
  { what: "holds a zero byte", argv: ["echo", "a\0b"] },
  { what: "is very long", argv: ["echo", "x".repeat(40_000)] },
])("a command that $what is not given to a reader", ({ argv }) => {
  expect(textForReader(argv, false)).toBeUndefined();
});
