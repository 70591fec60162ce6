// What an edit would do to a file: its bytes now come in, its bytes afterwards go out.
import type { Stats } from "node:fs";
import type { FileChange } from "../../contract/file-change.ts";
import { sha256 } from "../paths/file-change.ts";
import type { Refusal } from "../paths/refusal.ts";
import { maxFileBytes } from "../paths/replace-file.ts";
import { type HeldName, readWhole, withFile } from "../paths/workspace-files.ts";
import { applyEdits, type Change, type TextEdit } from "./apply-edits.ts";
import { fileKind, headBytes } from "./file-kind.ts";
import { decodeTextFile, encodeTextFile } from "./text-file.ts";

export type EditPlan = {
  before: Buffer;
  content: Buffer;
  stats: Stats;
  change: FileChange;
  /** For showing. */
  changes: readonly Change[];
  replacements: number;
};

export async function planEdit(held: HeldName, edits: readonly TextEdit[]): Promise<EditPlan | Refusal> {
  return withFile(held, async ({ handle, stats }): Promise<EditPlan | Refusal> => {
    const before = await readWhole(handle, maxFileBytes);
    if (!before) return { refused: `${held.shown} is larger than the ${maxFileBytes} bytes that can be edited.` };
    const file = fileKind(before.subarray(0, headBytes)).kind === "text" ? decodeTextFile(before) : undefined;
    if (!file) return { refused: `${held.shown} is not UTF-8 text, so an edit would damage it. Use a program for it.` };
    const edited = applyEdits(file, edits, held.shown);
    if ("refused" in edited) return edited;
    const content = encodeTextFile(edited.file);
    if (content.length > maxFileBytes) return { refused: `${held.shown} would grow above ${maxFileBytes} bytes.` };
    if (content.equals(before)) return { refused: `${held.shown} would stay as it is: the edits cancel each other.` };
    const { changes, replacements } = edited;
    const hashes = { before: sha256(before), after: sha256(content) };
    const change: FileChange = { path: held.path, kind: "file", ...hashes, mode: stats.mode & 0o777 };
    return { before, content, stats, change, changes, replacements };
  });
}
