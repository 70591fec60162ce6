import { expect, test } from "vitest";
import { keepDraft, keptDraft } from "./note-drafts.ts";

const mine = { text: "mine", base: { text: "", version: null } };

test("what was typed waits for its own note, and for that of the same name in a group not", () => {
  const app = { unsaved: new Map() };
  keepDraft(app, { path: "MEMORY.md", group: undefined }, mine);
  expect(keptDraft(app, { path: "MEMORY.md", group: undefined })).toEqual(mine);
  expect(keptDraft(app, { path: "MEMORY.md", group: "family" })).toBeUndefined();
});

test("when nothing waits any more, the window may be closed without a question", () => {
  const app = { unsaved: new Map() };
  keepDraft(app, { path: "MEMORY.md", group: undefined }, mine);
  keepDraft(app, { path: "USER.md", group: undefined }, mine);
  keepDraft(app, { path: "MEMORY.md", group: undefined }, undefined);
  expect(app.unsaved.size).toBe(1);
  keepDraft(app, { path: "USER.md", group: undefined }, undefined);
  expect(app.unsaved.size).toBe(0);
});
