import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { textForReader } from "./box-reader.ts";

const awkward = ["'", "''a'", '"$x"', "`id`", "$(id)", "a\nb\n", "", " ", "\\", "\\n", "*", "~", "#", "a;b", "\t"];

test("a shell that reads the text runs the very same words", () => {
  const text = textForReader(["printf", "[%s]", ...awkward]) ?? "";
  const { stdout } = spawnSync("/bin/sh", ["-c", text], { encoding: "utf8" });
  expect(stdout).toBe(awkward.map((word) => `[${word}]`).join(""));
});

test.each([
  { what: "begins with a dash", argv: ["-c", "a"] },
  { what: "holds letters that shells read differently", argv: ["echo", "naïve"] },
  { what: "holds a carriage return", argv: ["echo", "a\rb"] },
  { what: "is long", argv: ["echo", "x".repeat(5_000)] },
])("a command that $what is not given to a reader", ({ argv }) => {
  expect(textForReader(argv)).toBeUndefined();
});
