// What the tools share that change files: what they say of themselves, and how it is told later whether a new content is there.
import { FileChange } from "../../contract/file-change.ts";
import { type PathUse, type Recovery, type ToolContext, textResult } from "../../contract/tool.ts";
import { quoteName } from "../paths/escape-text.ts";
import { lookAtName } from "../paths/look-at-name.ts";
import { withNameInWorkspace } from "../paths/workspace-files.ts";

export const changesFile = {
  result: textResult,
  effects: ["changes"],
  class: "unsafe",
  undo: { kind: "checkpointed" },
  paths: ({ path }: { path: string }): readonly PathUse[] => [{ path, access: "write" }],
} as const;

/** For a call that was cut off and whose claim is the change it was to make. */
export function recoverContent(done: "Wrote" | "Edited", replaced: boolean) {
  return async ({ workspace }: ToolContext, { path }: { path: string }, rawClaim: unknown): Promise<Recovery> => {
    const claim = FileChange.safeParse(rawClaim);
    if (!claim.success) return { kind: "unknown" };
    const change = claim.data;
    const now = await withNameInWorkspace(workspace, path, "The file cannot be read", lookAtName);
    // where no folder is, no file is either
    const standing = "refused" in now ? null : now.sha256;
    if (standing === change.after) {
      const output = `${done} ${quoteName(path)}: the file already has its new content.`;
      const result = { outcome: "done" as const, output, wrote: [{ path, replaced }], changes: [change] };
      return { kind: "finished", result };
    }
    return standing === change.before && !change.notKept ? { kind: "not started" } : { kind: "unknown" };
  };
}
