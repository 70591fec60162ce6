// What the tools share that change files: what they say of themselves, and how it is told later whether a new content is there.
import { FileChange } from "../../contract/file-change.ts";
import { type PathUse, type Recovery, type ToolContext, textResult } from "../../contract/tool.ts";
import { count, formatBytes } from "../../contract/words/amounts.ts";
import { escapeName, quoteName } from "../paths/escape-text.ts";
import { lookAtName } from "../paths/look-at-name.ts";
import { withNameInWorkspace } from "../paths/workspace-files.ts";
import { diffLines } from "./text/line-diff.ts";
import { countNewlines, decodeTextFile } from "./text/text-file.ts";

export const changesFile = {
  result: textResult,
  effects: ["changes"],
  class: "unsafe",
  undo: { kind: "checkpointed" },
  paths: ({ path }: { path: string }): readonly PathUse[] => [{ path, access: "write" }],
} as const;

/** What a person is asked: which lines go and which come; undefined bytes are too large to compare. */
export function previewChange(
  verb: "Edit" | "Replace",
  path: string,
  before: Buffer | undefined,
  after: Buffer,
): string {
  const name = escapeName(path);
  const [old, fresh] = [before && decodeTextFile(before), decodeTextFile(after)];
  const sizes = `${formatBytes(before?.length ?? 0)} before, ${formatBytes(after.length)} afterwards`;
  if (old && fresh && (isLarge(old.text) || isLarge(fresh.text)))
    return `${verb} ${name}, which is too large to show line by line what goes (${sizes}). Afterwards it holds:\n${fresh.text}`;
  if (!old || !fresh) return `${verb} ${name}, which is no text that lines could be shown of (${sizes}):\n${after}`;
  const { removed, added, text } = diffLines(old.text, fresh.text);
  return `${verb} ${name}: ${count(removed, "line")} ${removed === 1 ? "goes" : "go"}, ${count(added, "line")} ${added === 1 ? "comes" : "come"} (${sizes})\n${text}`;
}

// comparing them would keep everybody else waiting
const mostCharacters = 1_000_000;
const mostLines = 20_000;

function isLarge(text: string): boolean {
  return text.length > mostCharacters || countNewlines(text) > mostLines;
}

/** For a call that was cut off and whose claim is the change it was to make. */
export function recoverContent(done: "Wrote" | "Edited", replaced: boolean) {
  return async (context: ToolContext, { path }: { path: string }, rawClaim: unknown): Promise<Recovery> => {
    const claim = FileChange.safeParse(rawClaim);
    if (!claim.success) return { kind: "unknown" };
    const change = claim.data;
    const now = await withNameInWorkspace(context, { path, access: "write" }, "The file cannot be read", lookAtName);
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
