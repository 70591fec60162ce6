import { expect, test } from "vitest";
import { asBytePath } from "./byte-path.ts";
import type { FoundName } from "./name-index.ts";
import { nestedProtections } from "./nested-protections.ts";

const found = (path: string, role: FoundName["role"] = "obeyed", kind: FoundName["kind"] = "file"): FoundName => ({
  path: asBytePath(path),
  role,
  kind,
  id: "7",
  folder: "8",
  isEmpty: false,
});
const many = (count: number, path: (at: number) => string, role?: FoundName["role"]) =>
  Array.from({ length: count }, (_, at) => found(path(at), role));

test("files are made read-only or hidden, folders before what is in them", () => {
  const names = [
    found("b/.env", "secret"),
    found("a/.npmrc"),
    found("a/.ssh", "secret", "folder"),
    found("a", "closed", "folder"),
  ];
  expect(nestedProtections("/w", names)).toEqual([
    { kind: "read-only", name: "a", id: "7", folder: "8" },
    { kind: "hidden-folder", name: "a/.ssh", id: "7", folder: "8" },
    { kind: "hidden", name: "b/.env", id: "7", folder: "8" },
  ]);
});

test("where there are too many, the deepest folder that holds enough of them is protected whole", () => {
  const names = [...many(9, (at) => `a/b/${at}/.npmrc`), found("a/x/.npmrc"), found("c/.npmrc")];
  expect(nestedProtections("/w", names, 5)).toEqual([
    { kind: "read-only", name: "a/b" },
    { kind: "read-only", name: "a/x/.npmrc", id: "7", folder: "8" },
    { kind: "read-only", name: "c/.npmrc", id: "7", folder: "8" },
  ]);
});

test("a folder with too many secrets is hidden whole", () => {
  const names = [...many(9, (at) => `a/${at}/.env`, "secret"), found("c/.npmrc")];
  expect(nestedProtections("/w", names, 5)).toEqual([
    { kind: "hidden-folder", name: "a" },
    { kind: "read-only", name: "c/.npmrc", id: "7", folder: "8" },
  ]);
});

test("one folder is not always enough", () => {
  const names = Array.from({ length: 40 }, (_, at) => found(`f${at % 8}/${at}/.npmrc`));
  const protections = nestedProtections("/w", names, 10);
  expect(Array.isArray(protections) && protections.length <= 10).toBe(true);
});

test("too many directly on top, or a folder there whose name is no text, turn commands off and say why", () => {
  expect(
    nestedProtections(
      "/w",
      many(9, (at) => `.env.${at}`, "secret"),
      5,
    ),
  ).toEqual({
    refused: expect.stringContaining("more than 5 places of /w"),
  });
  expect(nestedProtections("/w", [found("a\xff/.npmrc")])).toEqual({ refused: expect.stringContaining("plain name") });
});

test("what lies in a folder whose name is no text is kept by the folder around that", () => {
  expect(nestedProtections("/w", [found("a/b\xff/.npmrc"), found("\xc3\xbc/.npmrc")])).toEqual([
    { kind: "read-only", name: "a" },
    { kind: "read-only", name: "ü/.npmrc", id: "7", folder: "8" },
  ]);
});

test("thousands are gathered into few", () => {
  const names = Array.from({ length: 5_000 }, (_, at) => found(`p${at % 50}/d${at % 500}/e${at}/.npmrc`));
  const protections = nestedProtections("/w", names);
  expect(Array.isArray(protections) && protections.length <= 150).toBe(true);
});
