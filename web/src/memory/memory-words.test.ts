import { expect, test } from "vitest";
import { dayWords, placeWords, statusWords } from "./memory-words.ts";

const place = { score: 0.5, why: [] };

test("a find in a file is named by its lines", () => {
  expect(placeWords({ ...place, path: "MEMORY.md", startLine: 3, endLine: 5 }, [])).toBe("MEMORY.md, lines 3–5");
  expect(placeWords({ ...place, path: "MEMORY.md", startLine: 3, endLine: 3 }, [])).toBe("MEMORY.md, line 3");
  const best = { text: "- a cat", startLine: 7 };
  expect(placeWords({ ...place, path: "MEMORY.md", startLine: 3, endLine: 20, best }, [])).toBe("MEMORY.md, line 7");
});

test("a find in a conversation that is in no list is still named", () => {
  expect(placeWords({ ...place, sessionKey: "web--42", fromSeq: 3 }, [])).toBe("A conversation");
  expect(placeWords({ ...place, sessionKey: "task--t1", fromSeq: 3 }, [])).toBe("A task");
});

test("a day is the same day wherever it is read, and what is no day stays as it is", () => {
  expect(dayWords("2026-11-15")).toContain("15");
  expect(dayWords("last spring")).toBe("last spring");
});

test("the index says what it holds and what is not done yet", () => {
  const status = { enabled: true, state: "ready", units: 1204, files: 1, conversations: 12 } as const;
  expect(statusWords({ ...status, bytes: 3_200_000, embedder: "builtin", withoutVector: 2 })).toBe(
    "1,204 paragraphs and messages from 1 file and 12 conversations · built-in meaning search · 3.2 MB · 2 texts still without a vector",
  );
});
