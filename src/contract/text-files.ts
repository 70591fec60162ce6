// Text files of a folder for rooms without file tools: read, and changed by the same rules as those tools have.
import type { FileChange } from "./file-change.ts";
import type { Reach } from "./tool.ts";

export type TextChange =
  | { kind: "changed"; changes: readonly FileChange[] }
  | { kind: "as it was" }
  /** Why, in a sentence. */
  | { kind: "refused"; why: string };

export type TextFiles = {
  /** With "\n" at the end of each line; undefined where no text can be read. */
  read(reach: Reach, path: string): Promise<string | undefined>;
  /**
   * `change` makes the new text of the old one, which is empty where there was no file, and may be called again. Nothing outside
   * of reach is touched, and what was there is kept for an undo.
   */
  change(at: Reach & { signal: AbortSignal }, path: string, change: (before: string) => string): Promise<TextChange>;
};
