import { expect, test } from "vitest";
import { openFoundLines } from "./found-lines.ts";
import { lineMatcher } from "./line-matcher.ts";

test("lines keep their numbers over stretches without a match", () => {
  const pattern = { source: "X", flags: "u", literals: ["X"] };
  const found = openFoundLines(lineMatcher(pattern), { pattern, context: 1, mode: "lines" });
  for (const stretch of ["a\nb\nc\n", "d\ne\n", "f\nX1\ng\n", "h\n", "i\nX2\n"]) found.add(stretch);
  const shown = found.lines.map(({ number, text, isMatch }) => `${number}${isMatch ? ":" : "-"}${text}`);
  expect(shown).toEqual(["6-f", "7:X1", "8-g", "10-i", "11:X2"]);
});
