import { expect, test } from "vitest";
import { fitFiles, mostBytes, mostFiles } from "./upload.ts";

const file = (name: string, size = 10) => ({ name, size });

test("files that fit are all taken, in their order", () => {
  const { taken, refused } = fitFiles([file("a"), file("b")], []);
  expect(taken.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(refused).toEqual([]);
});
test("a file that is too large is named, and the small one after it is still taken", () => {
  const { taken, refused } = fitFiles([file("film.mp4", mostBytes + 1), file("note.txt")], []);
  expect(taken.map(({ name }) => name)).toEqual(["note.txt"]);
  expect(refused).toEqual([{ name: "film.mp4", reason: "it has 20 MB; 20 MB is the most" }]);
});
test("what was added before counts", () => {
  expect(fitFiles([file("b", mostBytes)], [{ bytes: 1 }]).refused[0]?.reason).toContain("together");
  const full = Array.from({ length: mostFiles }, () => ({ bytes: 1 }));
  expect(fitFiles([file("one more")], full).refused[0]?.reason).toBe("a message holds 20 files at most");
});
