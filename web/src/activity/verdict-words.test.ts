import { expect, test } from "vitest";
import { verdictWords } from "./verdict-words.ts";

test("a whole record, a broken one and an empty one are told apart in words", () => {
  expect(verdictWords({ ok: true, lines: 1204, problems: [] })).toMatch("All 1,204 lines");
  expect(verdictWords({ ok: false, lines: 9, problems: ["a line was changed"] })).toMatch(
    "wrong in one place of 9 lines",
  );
  expect(verdictWords({ ok: true, lines: 0, problems: [] })).toMatch("nothing to check");
});
