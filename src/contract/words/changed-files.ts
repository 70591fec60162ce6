import type { FileChange } from "../file-change.ts";

/** The names that a call changed, each once: one call may change the same file twice. */
export function changedPaths(changes: readonly Pick<FileChange, "path">[]): string[] {
  return [...new Set(changes.map(({ path }) => path))];
}
