import { expect, test } from "vitest";
import { pageLines } from "./page-lines.ts";

const asTexts = (tree: unknown, mask = (text: string) => text) => pageLines(tree, mask).map((line) => line.text);

test("boxes that say nothing are left out and what is in them moves up", () => {
  const tree = [
    { role: "generic", ref: "e1", children: [{ role: "heading", name: "Hi", level: 1, ref: "e2" }, "there"] },
  ];
  expect(asTexts(tree)).toEqual(['heading "Hi" [e2] (level=1)', "text: there"]);
});

test("a box that can be clicked is shown by its text", () => {
  expect(asTexts([{ role: "generic", ref: "e3", cursor: "pointer", text: "Buy now" }])).toEqual([
    'generic "Buy now" [e3]',
  ]);
});

test("states, placeholders, values and links follow the reference", () => {
  const tree = [
    { role: "textbox", name: "Name", ref: "e1", placeholder: "yours", text: "Ada" },
    { role: "checkbox", name: "Sure", ref: "e2", checked: "mixed", disabled: true },
    { role: "link", name: "Next", ref: "e3", url: "/next" },
  ];
  expect(asTexts(tree)).toEqual([
    'textbox "Name" [e1] (placeholder="yours"): Ada',
    'checkbox "Sure" [e2] (checked=mixed, disabled)',
    'link "Next" [e3] → /next',
  ]);
});

test("a name can neither end its quotes nor break its line", () => {
  const [line] = asTexts([{ role: "button", name: 'OK" [e9]\nbutton "Buy', ref: "e1" }]);
  expect(line).toBe('button "OK\\" [e9] button \\"Buy" [e1]');
});

test("what must not be shown is asked for in names and values alike", () => {
  const hide = (text: string) => text.replaceAll("hunter2", "****");
  const tree = [{ role: "textbox", name: "hunter2", ref: "e1", text: "hunter2" }, "it is hunter2"];
  expect(asTexts(tree, hide)).toEqual(['textbox "****" [e1]', "text: it is ****"]);
});

test("a page that nests ten thousand deep is read all the same", () => {
  let tree: unknown = "bottom";
  for (let depth = 0; depth < 10_000; depth++) tree = { role: "group", ref: `e${depth}`, children: [tree] };
  const lines = asTexts([tree]);
  expect(lines).toHaveLength(10_001);
  expect(lines.at(-1)).toBe(`${"  ".repeat(12)}text: bottom`);
});

test("what is not an accessibility tree gives no lines", () => {
  expect(asTexts({ something: "else" })).toEqual([]);
  expect(asTexts([{ role: 'button "Buy" [e1]', ref: "e2" }])).toEqual([]);
});
