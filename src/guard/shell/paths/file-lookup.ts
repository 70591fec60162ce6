import { lstatSync, readdirSync, realpathSync, type Stats } from "node:fs";
import type { FileKind, FileLookup } from "../policy.ts";

export const realFileLookup: FileLookup = {
  realpath: (path) => ifThere(() => realpathSync.native(path)),
  lstat: (path) => ifThere(() => kindOf(lstatSync(path))),
  readdir: (path) => ifThere(() => readdirSync(path)) ?? [],
};

function kindOf(stats: Stats): FileKind {
  if (stats.isSymbolicLink()) return "link";
  if (stats.isDirectory()) return "folder";
  return stats.isFile() ? "file" : "other";
}

function ifThere<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    // missing, unreadable and looping paths look the same to the check: there is nothing it may rely on
    return undefined;
  }
}
