import type { Dirent, Stats } from "node:fs";

export type EntryKind = "file" | "folder" | "link" | "special";

export function kindOf(entry: Dirent | Stats): EntryKind {
  if (entry.isDirectory()) return "folder";
  if (entry.isSymbolicLink()) return "link";
  return entry.isFile() ? "file" : "special";
}
