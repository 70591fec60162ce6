import { expect, test } from "vitest";
import { calledTool } from "../../../../src/contract/conversation/fold-tool.ts";
import { beginningOf, changedWords, givenValues, plainOutput, toolStanding, toolTrouble } from "./tool-words.ts";

const tool = calledTool("t1", { callId: "c1", tool: "bash", arguments: { command: "ls" } }, 1);
const change = { path: "a.md", kind: "file", before: "b", after: "c", mode: 420 } as const;

test("arguments are shown whole, with names in words", () => {
  expect(givenValues({ ignoreCase: true, max_results: 3, path: "a", skipped: null })).toEqual([
    { name: "ignore case", kind: "text", text: "yes" },
    { name: "max results", kind: "text", text: "3" },
    { name: "path", kind: "text", text: "a" },
  ]);
  const edits = [{ oldText: "milk", newText: "oat milk" }];
  expect(givenValues({ edits })).toEqual([{ name: "edits", kind: "replacements", replacements: edits }]);
});

test("how it stands is said in words", () => {
  const words = (change: Partial<typeof tool>) => toolStanding({ ...tool, ...change }, 14_700).words;
  expect(words({ status: "running", startedAtMs: 2000 })).toBe("12 s");
  expect(words({ status: "done", durationMs: 840 })).toBe("840 ms");
  expect(words({ status: "done", durationMs: 41_000, tool: "research", output: "7 pages read, 1 search.\n…" })).toBe(
    "7 pages, 41 s",
  );
  expect(words({ status: "stopped" })).toBe("Not run");
  expect(words({ status: "stopped", startedAtMs: 1 })).toBe("Stopped");
  expect(words({ status: "unknown" })).toBe("Outcome unknown");
});

test("an unknown outcome is told honestly, a failure by its own words", () => {
  expect(toolTrouble({ ...tool, status: "unknown" })).toContain("may or may not have happened");
  expect(toolTrouble({ ...tool, status: "failed", output: "No such file.\nmore" })).toBe("No such file. more");
  expect(toolTrouble({ ...tool, status: "done", output: "fine" })).toBeUndefined();
});

test("changes to files are told by what became of them", () => {
  const words = (...changes: Parameters<typeof changedWords>[0]["changes"]) => changedWords({ ...tool, changes });
  expect(words(change)).toBe("Changed a.md");
  expect(words({ ...change, before: null })).toBe("Made a.md");
  expect(words({ ...change, after: null })).toBe("Deleted a.md");
  expect(words(change, { ...change, path: "b.md" })).toBe("Changed 2 files");
  expect(words(change, change)).toBe("Changed a.md");
  expect(words({ ...change, before: null }, change)).toBe("Made a.md");
  const folder = { ...change, path: "notes", kind: "folder" as const, before: null };
  expect(words(folder, { ...change, path: "notes/a.md", before: null })).toBe("Made notes/a.md");
});

test("output loses its colour codes, and a long one is cut until the rest is asked for", () => {
  expect(plainOutput("\u001b[31mred\u001b[0m\u001b]0;title\u0007 text\r\n")).toBe("red text");
  expect(beginningOf("short\noutput")).toBeUndefined();
  expect(beginningOf("line\n".repeat(100))?.split("\n")).toHaveLength(40);
  expect(beginningOf("x".repeat(9000))).toHaveLength(4000);
});
