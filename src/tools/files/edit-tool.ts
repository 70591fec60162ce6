import type { Stats } from "node:fs";
import { z } from "zod";
import type { FileChange } from "../../contract/file-change.ts";
import { defineTool, type PathUse, type Reach, type Tool, type ToolContext } from "../../contract/tool.ts";
import { count } from "../../contract/words/amounts.ts";
import { escapeName, quoteName } from "../paths/escape-text.ts";
import { sha256 } from "../paths/file-change.ts";
import { lockKey } from "../paths/path-locks.ts";
import { type Answer, type Refusal, resultOf } from "../paths/refusal.ts";
import { maxFileBytes, replaceFile } from "../paths/replace-file.ts";
import { type HeldName, readWhole, withFile, withNameAt, withNameInWorkspace } from "../paths/workspace-files.ts";
import { findPlace } from "../paths/workspace-path.ts";
import type { FileChanges } from "../undo/file-changes.ts";
import { keepOrRefusal } from "../undo/keep-earlier.ts";
import { changesFile, isLarge, previewChange, recoverContent } from "./changes-file.ts";
import { fileKind, headBytes } from "./file-kind.ts";
import { applyEdits, type Edited, formatChanges } from "./text/apply-edits.ts";
import { decodeTextFile, encodeTextFile } from "./text/text-file.ts";

const EditArguments = z.object({
  path: z.string(),
  edits: z.array(
    z.object({
      oldText: z.string(),
      newText: z.string(),
      all: z.boolean().optional().describe("Every match"),
    }),
  ),
});
type EditArguments = z.infer<typeof EditArguments>;

/** What an edit would do to a file: its bytes now and afterwards, and what is shown of it. */
type EditPlan = Edited & { before: Buffer; content: Buffer; stats: Stats; change: FileChange };

export function editTool(deps: FileChanges): Tool {
  return defineTool({
    name: "edit",
    description: "Replace exact text in a file; all edits or none.",
    arguments: EditArguments,
    ...changesFile,
    formatApproval,
    preview: (reach, args) => previewEdit(deps, reach, args),
    claim: (context, args) => claimEdit(deps, context, args),
    recover: recoverContent("Edited", false),
    run: async (context, args) => resultOf(await runEdit(deps, context, args)),
  });
}

function formatApproval(args: EditArguments): string {
  const edits = args.edits.map((edit) => {
    const how = edit.all ? "Replace every" : "Replace";
    return `${how}:\n${edit.oldText}\nwith:\n${edit.newText}`;
  });
  return [`Edit ${escapeName(args.path)}`, ...edits].join("\n\n");
}

function toWrite({ path }: EditArguments): PathUse {
  return { path, access: "write" };
}

async function previewEdit(deps: FileChanges, reach: Reach, args: EditArguments): Promise<string | undefined> {
  const problem = "The edit cannot be planned";
  const plan = await withNameInWorkspace(reach, toWrite(args), problem, (held) => planEdit(deps, held, args));
  if ("refused" in plan) return undefined;
  const file = decodeTextFile(plan.before);
  if (!file || isLarge(file.text)) return undefined;
  // made once more on what the model has read, so that its own words are shown as they are and the file's are masked
  const before = deps.redact(file.text);
  const shown = applyEdits({ ...file, text: before }, args.edits, { shown: "", redact: (text) => text });
  if ("refused" in shown) return undefined;
  const sizes = { before: plan.before.length, after: plan.content.length };
  return previewChange({ verb: "Edit", path: args.path, before, after: shown.file.text, sizes });
}

async function runEdit(deps: FileChanges, context: ToolContext, args: EditArguments): Promise<Answer> {
  const shown = quoteName(args.path);
  if (args.edits.length === 0) return { refused: `${shown} was not changed: edits is empty. Give at least one.` };
  const kept = deps.whyKeep(args.path);
  if (kept) return { refused: `${shown} was not changed: ${kept}` };
  const place = await findPlace(context, args.path, "write");
  if ("refused" in place) return place;
  const edited = await deps.locks.hold(lockKey(place), () =>
    withNameAt(place, `${shown} was not changed`, (held) => editKeeping(deps, held, args, context.signal)),
  );
  if ("refused" in edited) return edited;
  return {
    outcome: "done",
    output: `Edited ${shown}: ${count(edited.replacements, "replacement")}.\n${formatChanges(edited.changes)}`,
    wrote: [{ path: args.path, replaced: false }],
    changes: [edited.change],
  };
}

async function editKeeping(
  deps: FileChanges,
  held: HeldName,
  args: EditArguments,
  signal: AbortSignal,
): Promise<EditPlan | Refusal> {
  const plan = await planEdit(deps, held, args);
  if ("refused" in plan) return plan;
  const kept = await keepOrRefusal(held, () => deps.checkpoints.keep(plan.before));
  if (typeof kept !== "string") return kept;
  const replaced = await replaceFile(held, { content: plan.content, expected: plan.stats, signal });
  if ("written" in replaced) return plan;
  return "refused" in replaced ? replaced : { refused: replaced.changed };
}

async function claimEdit(deps: FileChanges, context: ToolContext, args: EditArguments): Promise<unknown> {
  const plan = await withNameInWorkspace(context, toWrite(args), "The edit cannot be planned", async (held) => {
    const planned = await planEdit(deps, held, args);
    // what the claim names must be there for an undo, whatever the file holds when the edit is made
    if (!("refused" in planned)) await deps.checkpoints.keep(planned.before);
    return planned;
  });
  // an edit that does not fit is refused when it runs; without hashes nothing can be told about it later
  return "refused" in plan ? { path: args.path } : plan.change;
}

async function planEdit(
  { redact }: Pick<FileChanges, "redact">,
  held: HeldName,
  { edits }: EditArguments,
): Promise<EditPlan | Refusal> {
  return withFile(held, async ({ handle, stats, shown, path }): Promise<EditPlan | Refusal> => {
    const before = await readWhole(handle, maxFileBytes);
    if (!before) return { refused: `${shown} is larger than the ${maxFileBytes} bytes that can be edited.` };
    const file = fileKind(before.subarray(0, headBytes)).kind === "text" ? decodeTextFile(before) : undefined;
    if (!file) return { refused: `${shown} is not UTF-8 text, so an edit would damage it. Use a program for it.` };
    const edited = applyEdits(file, edits, { shown, redact });
    if ("refused" in edited) return edited;
    const content = encodeTextFile(edited.file);
    if (content.length > maxFileBytes) return { refused: `${shown} would grow above ${maxFileBytes} bytes.` };
    if (content.equals(before)) return { refused: `${shown} would stay as it is: the edits cancel each other.` };
    const hashes = { before: sha256(before), after: sha256(content) };
    return { ...edited, before, content, stats, change: { path, kind: "file", ...hashes, mode: stats.mode & 0o777 } };
  });
}
