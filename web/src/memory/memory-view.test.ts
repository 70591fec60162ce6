import { expect, test } from "vitest";
import { type MemoryView, placePath, readView, viewPath } from "./memory-view.ts";

const views: readonly MemoryView[] = [
  { view: "search", query: "" },
  { view: "search", query: "100% of ~/notes/a.md? yes & no #1" },
  { view: "search", query: "Zoë’s 猫", group: "family" },
  { view: "files" },
  { view: "file", path: "memory/2026-11-15.md", lines: { start: 12, end: 14 } },
  { view: "file", path: "/home/anna/notes.md", group: "family" },
  { view: "file", path: "MEMORY.md", lines: { start: 3, end: 20 }, best: { start: 7, end: 8 } },
  { view: "edit", path: "MEMORY.md", version: "ab12" },
  { view: "history", path: "USER.md" },
  { view: "recalled", seq: 512 },
  { view: "recalled" },
  { view: "forget", about: "Mr. Brown" },
];

test.each(views.map((view) => [viewPath(view), view] as const))("%s leads back to where it came from", (path, view) => {
  const parts = path.split("/").slice(2).map(decodeURIComponent);
  expect(readView(parts)).toEqual(view);
});

test("an address can be loaded anew: the gateway takes no part of it for a file or refuses it", () => {
  for (const view of views) expect(viewPath(view)).not.toMatch(/[.%?#]|\/\//);
});

test("an address with nonsense in it is the search", () => {
  expect(readView(["file"])).toEqual({ view: "search", query: "" });
  expect(readView(["search", "50~"])).toEqual({ view: "search", query: "50~" });
});

test("a find leads to its lines, or to its message", () => {
  const place = { score: 1, why: [] };
  expect(placePath({ ...place, path: "MEMORY.md", startLine: 3, endLine: 5 }, undefined)).toBe(
    "/memory/file/MEMORY~2Emd/3-5",
  );
  expect(placePath({ ...place, sessionKey: "web--42", fromSeq: 7, toSeq: 9 }, undefined)).toBe("/chat/web--42/7");
});

test("a find of which one paragraph or message fits best leads to that", () => {
  const place = { score: 1, why: [] };
  const best = { text: "- a cat\nwhich is old", startLine: 7 };
  expect(placePath({ ...place, path: "MEMORY.md", startLine: 3, endLine: 20, best }, undefined)).toBe(
    "/memory/file/MEMORY~2Emd/3-20/7-8",
  );
  const said = { ...place, sessionKey: "web--42", fromSeq: 7, toSeq: 90, best: { text: "a cat", seq: 41 } };
  expect(placePath(said, undefined)).toBe("/chat/web--42/41");
});
