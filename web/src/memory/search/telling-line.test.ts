import { expect, test } from "vitest";
import { tellingLine } from "./telling-line.ts";

test("a note is told by its first line that says something", () => {
  expect(tellingLine("# People\n\n- Anna moved to Berlin\n- more\n")).toBe("Anna moved to Berlin");
  expect(tellingLine("---\n<!-- written\nby hand -->\nGets up at six.\n")).toBe("Gets up at six.");
});

test("where only headings stand, the first of them tells it, and an empty note is told by nothing", () => {
  expect(tellingLine("# People\n## Anna\n")).toBe("People");
  expect(tellingLine("\n---\n")).toBeUndefined();
});
