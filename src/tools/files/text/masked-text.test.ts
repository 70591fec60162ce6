import { expect, test } from "vitest";
import { openRedactor } from "../../../guard/redaction/redactor.ts";
import { lostBehindMask, unmaskEdit } from "./masked-text.ts";

const { redact } = openRedactor({ known: [] });
const notes = [
  "# Memory",
  "",
  "- 2026-11-14: the wifi password is hunter2-and-more",
  "- 2026-11-15: the bins go out on Tuesday",
  "- 2026-11-15: the door code password is correct-horse-9",
  "",
].join("\n");

test("what was read with a mask is found in the file, and what was behind the mask stays", () => {
  const [, , wifi] = redact(notes).split("\n");
  expect(wifi).toContain("[redacted:");
  const edit = unmaskEdit(notes, { oldText: `${wifi}`, newText: `${wifi}\n- new` }, redact);
  const [, , raw] = notes.split("\n");
  expect(edit).toEqual({ oldText: raw, newText: `${raw}\n- new` });
});

test("several masks are put back in their order, also when one of them goes", () => {
  const shown = redact(notes);
  const [, , wifi = "", bins = "", door = ""] = shown.split("\n");
  const oldText = [wifi, bins, door].join("\n");
  const [, , rawWifi, rawBins, rawDoor] = notes.split("\n");
  expect(unmaskEdit(notes, { oldText, newText: [wifi, door].join("\n") }, redact)).toEqual({
    oldText: [rawWifi, rawBins, rawDoor].join("\n"),
    newText: [rawWifi, rawDoor].join("\n"),
  });
  expect(unmaskEdit(notes, { oldText: `${bins}\n${door}`, newText: bins }, redact)).toEqual({
    oldText: `${rawBins}\n${rawDoor}`,
    newText: rawBins,
  });
});

test("masks that look alike stay with their lines, whichever go or change places", () => {
  const [one, two] = ["one password is aaaaaaaa-1", "two password is bbbbbbbb-2"];
  const text = `${one}\n${two}\n`;
  const [first = "", second = ""] = redact(text).split("\n");
  const change = (...lines: readonly string[]) =>
    unmaskEdit(text, { oldText: `${first}\n${second}`, newText: lines.join("\n") }, redact);
  expect(change(second, first)).toEqual({ oldText: `${one}\n${two}`, newText: `${two}\n${one}` });
  expect(change(second)).toEqual({ oldText: `${one}\n${two}`, newText: two });
  expect(change("more", second)).toEqual({ oldText: `${one}\n${two}`, newText: `more\n${two}` });
  // which of the two is meant cannot be told
  const unclear = { oldText: `${first}\n${second}`, newText: second.replace("two", "three") };
  expect(unmaskEdit(text, unclear, redact)).toEqual(unclear);
});

test("an edit that would bring a masked word into the open is left as it is", () => {
  const text = "password=hunter2-and-more\ncolour=red\n";
  const oldText = redact(text).trimEnd();
  const [masked = ""] = /\[redacted:[a-z-]+\]/.exec(oldText) ?? [];
  const edit = { oldText, newText: `password=x\ncolour=${masked}` };
  expect(unmaskEdit(text, edit, redact)).toEqual(edit);
});

test("a mask that stands in the file itself is a word like others", () => {
  const text = "the token was [redacted:password]\n";
  const edit = { oldText: "was [redacted:password]", newText: "is gone" };
  expect(unmaskEdit(text, edit, redact)).toEqual(edit);
});

test("an edit that fits nowhere, or in two places, stays as it is", () => {
  const elsewhere = { oldText: "the safe password is [redacted:password]", newText: "" };
  expect(unmaskEdit(notes, elsewhere, redact)).toEqual(elsewhere);
  const twice = "password: aaaaaaaa-1\npassword: bbbbbbbb-2\n";
  const either = { oldText: redact(twice).split("\n")[0] ?? "", newText: "x" };
  expect(unmaskEdit(twice, either, redact)).toEqual(either);
});

test("a whole new content that would put a mask in the place of words is told apart", () => {
  const shown = redact(notes);
  expect(lostBehindMask(notes, shown, redact)).toMatch(/redacted:/);
  expect(lostBehindMask(notes, "nothing of it", redact)).toBeUndefined();
  expect(lostBehindMask("no secret\n", shown, redact)).toBeUndefined();
});
