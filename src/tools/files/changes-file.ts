// What the tools share that change files: what they say of themselves, and how it is told later whether a new content is there.
import { diffLines } from "../../contract/diff/line-diff.ts";
import { FileChange } from "../../contract/file-change.ts";
import { type PathUse, type Recovery, type ToolContext, textResult } from "../../contract/tool.ts";
import { count, formatBytes } from "../../contract/words/amounts.ts";
import { escapeName, quoteName } from "../paths/escape-text.ts";
import { lookAtName } from "../paths/look-at-name.ts";
import { withNameInWorkspace } from "../paths/workspace-files.ts";
import { countNewlines } from "./text/text-file.ts";

export const changesFile = {
  result: textResult,
  effects: ["changes"],
  class: "unsafe",
  undo: { kind: "checkpointed" },
  paths: ({ path }: { path: string }): readonly PathUse[] => [{ path, access: "write" }],
} as const;

type Preview = {
  verb: "Edit" | "Replace";
  path: string;
  /** What is there now, masked, and what the call would make of it, word for word; undefined: no text to compare. */
  before: string | undefined;
  after: string;
  sizes: { before: number; after: number };
};

/** What a person is asked: which lines go and which come. What comes is never masked: it is what is approved. */
export function previewChange({ verb, path, before, after, sizes }: Preview): string {
  const name = escapeName(path);
  const bytes = `${formatBytes(sizes.before)} before, ${formatBytes(sizes.after)} afterwards`;
  if (before === undefined)
    return `${verb} ${name}, of which no lines can be shown (${bytes}). Afterwards it holds:\n${after}`;
  const { removed, added, text } = diffLines(before, after);
  if (removed + added === 0)
    return `${verb} ${name}: no line changes, only what stands behind the lines or masked words (${bytes}). Afterwards it holds:\n${after}`;
  const goes = `${count(removed, "line")} ${removed === 1 ? "goes" : "go"}`;
  return `${verb} ${name}: ${goes}, ${count(added, "line")} ${added === 1 ? "comes" : "come"} (${bytes})\n${text}`;
}

const mostCharacters = 1_000_000;
const mostLines = 20_000;

/** Comparing it would keep everybody else waiting. */
export function isLarge(text: string): boolean {
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
