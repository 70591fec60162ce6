import type { FileChange } from "../file-change.ts";

/** The names that a call changed, each once; a folder that was made for a file goes without saying. */
export function changedPaths(changes: readonly Pick<FileChange, "path" | "kind">[]): string[] {
  const files = changes.filter(({ kind }) => kind !== "folder");
  return [...new Set((files.length > 0 ? files : changes).map(({ path }) => path))];
}
