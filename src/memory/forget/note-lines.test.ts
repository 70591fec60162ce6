import { expect, test } from "vitest";
import { holdsLine, linesOf, shownLine, withoutLines } from "./note-lines.ts";

test("a line is shown without its end and without the mark at the beginning of a file", () => {
  const shown = linesOf(Buffer.from("\ufeffone\r\n\n two \nthree")).map(shownLine);
  expect(shown).toEqual(["one", "", " two ", "three"]);
});

test("two long lines that differ only at their end are shown as two", () => {
  const [one, other] = ["a", "b"].map((end) => shownLine(Buffer.from(`${"long ".repeat(10_000)}${end}`)));
  expect(one).not.toBe(other);
  expect(one?.length).toBeLessThan(10_000);
});

test("lines go whole, and every other byte stays, also what is no text", () => {
  const bytes = Buffer.from([0x61, 0x0d, 0x0a, 0xff, 0xfe, 0x0a, 0x62]);
  expect(withoutLines(bytes, new Set([1]))).toEqual(Buffer.from([0xff, 0xfe, 0x0a, 0x62]));
  expect(withoutLines(bytes, new Set([3]))).toEqual(Buffer.from([0x61, 0x0d, 0x0a, 0xff, 0xfe, 0x0a]));
  expect(withoutLines(bytes, new Set([1, 2, 3]))).toEqual(Buffer.alloc(0));
});

test("an earlier version holds a line only where all of it stands in a line of its own", () => {
  const holds = (content: string, line = "a dog\n") => holdsLine(Buffer.from(content), [Buffer.from(line)]);
  expect([holds("a dog"), holds("x\na dog\r\ny"), holds("has a dog\na dog\n")]).toEqual([true, true, true]);
  expect([holds("has a dog\n"), holds("a dogma\n"), holds(""), holds("\n\n", "\n")]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test("in the pack of a folder a line at the end of a file is found, though the next name follows at once", () => {
  expect(holdsLine(Buffer.from('{"path":"a.md"}\nx\na dog{"path":"b.md"}\n'), [Buffer.from("a dog")])).toBe(true);
});
