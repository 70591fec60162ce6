import { expect, test } from "vitest";
import { shortcutOf } from "./shortcuts.ts";

const press = (key: string, held: object = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });

test.each([{ ctrlKey: true }, { metaKey: true }])("the palette opens with %j and K, even while typing", (held) => {
  expect(shortcutOf(press("k", held), true)).toBe("palette");
  expect(shortcutOf(press("K", held), false)).toBe("palette");
});

test("letters are letters while somebody types", () => {
  expect(shortcutOf(press("n"), true)).toBeUndefined();
  expect(shortcutOf(press("?"), true)).toBeUndefined();
  expect(shortcutOf(press("n"), false)).toBe("new-chat");
  expect(shortcutOf(press("?"), false)).toBe("help");
});

test("the browser's own keys are left to the browser", () => {
  expect(shortcutOf(press("n", { ctrlKey: true }), false)).toBeUndefined();
  expect(shortcutOf(press("/", { metaKey: true }), false)).toBeUndefined();
  expect(shortcutOf(press("n", { altKey: true }), false)).toBeUndefined();
});
