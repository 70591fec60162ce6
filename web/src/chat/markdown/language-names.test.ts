import { expect, test } from "vitest";
import { languageId, languageName } from "./language-names.ts";

test("a language is found under the names people use for it", () => {
  expect(["ts", "Py", "shell", "yml", "C++", "rust"].map(languageId)).toEqual([
    "typescript",
    "python",
    "bash",
    "yaml",
    "c",
    "rust",
  ]);
});
test("a reader sees its usual name", () => {
  expect(["js", "sh", "cpp", "c", "rust", "", "text"].map(languageName)).toEqual([
    "JavaScript",
    "Shell",
    "C++",
    "C",
    "Rust",
    "Text",
    "Text",
  ]);
});
