import { expect, test } from "vitest";
import { endOfTable, readRows } from "./table-source.ts";

test.each([
  ["a table ends with its last row", ["|a|b|", "|-|-|", "|1|2|", "after"], 3],
  ["a table needs no bars at its sides", ["a | b", "--- | ---", "1 | 2"], 3],
  ["a table may have one column", ["| a |", "|---|"], 2],
  ["a heading that is underlined is no table", ["a | b", "-----"], undefined],
  ["as many names as columns", ["|a|b|c|", "|-|-|"], undefined],
  ["a point of a list is no table", ["- a | b", "--|--"], undefined],
])("%s", (_, lines, end) => {
  expect(endOfTable(lines, 0)).toBe(end);
});
test("cells keep their escaped bars, and those without a name are kept", () => {
  expect(readRows("| a | b |\n|:-:|-:|\n| 1 \\| 2 | | 3 |")).toEqual({
    rows: [
      ["a", "b"],
      ["1 | 2", "", "3"],
    ],
    isRight: [false, true],
  });
});
