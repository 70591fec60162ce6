import type { FileChange } from "../../contract/file-change.ts";
import type { Checkpoints } from "./checkpoint-files.ts";

export type PutBackDeps = { checkpoints: Checkpoints; signal: AbortSignal };

/** already: it is as it was before. conflict: something else happened to it since. lost: what was there is not kept. */
export type Undone = {
  outcome: "put back" | "already" | "conflict" | "lost";
  message: string;
  /** What this did in turn. */
  changes: readonly FileChange[];
};
