import { z } from "zod";
import { FileChange } from "../../contract/file-change.ts";
import {
  defineTool,
  type Recovery,
  type Tool,
  type ToolContext,
  type ToolResult,
  textResult,
} from "../../contract/tool.ts";
import { escapeLines, escapeName, quoteName } from "../paths/escape-text.ts";
import { lookAtName } from "../paths/look-at-name.ts";
import { lockKey } from "../paths/path-locks.ts";
import { type Refusal, resultOf } from "../paths/refusal.ts";
import { replaceFile } from "../paths/replace-file.ts";
import { type HeldName, withNameAt, withNameInWorkspace } from "../paths/workspace-files.ts";
import { findPlace } from "../paths/workspace-path.ts";
import type { FileChanges } from "../undo/file-changes.ts";
import { keepOrRefusal } from "../undo/keep-earlier.ts";
import { formatChanges } from "./apply-edits.ts";
import { type EditPlan, planEdit } from "./edit-plan.ts";

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

export function editTool(deps: FileChanges): Tool {
  return defineTool({
    name: "edit",
    description: "Replace exact text in a file; all edits or none.",
    arguments: EditArguments,
    result: textResult,
    effects: ["changes"],
    class: "unsafe",
    undo: { kind: "checkpointed" },
    paths: (args) => [{ path: args.path, access: "write" }],
    formatApproval,
    claim: (context, args) => claimEdit(deps, context, args),
    recover: recoverEdit,
    run: async (context, args) => resultOf(await runEdit(deps, context, args)),
  });
}

function formatApproval(args: EditArguments): string {
  const edits = args.edits.map((edit) => {
    const how = edit.all ? "Replace every" : "Replace";
    return `${how}:\n${escapeLines(edit.oldText)}\nwith:\n${escapeLines(edit.newText)}`;
  });
  return [`Edit ${escapeName(args.path)}`, ...edits].join("\n\n");
}

async function runEdit(deps: FileChanges, context: ToolContext, args: EditArguments): Promise<ToolResult | Refusal> {
  const shown = quoteName(args.path);
  if (args.edits.length === 0) return { refused: `${shown} was not changed: edits is empty. Give at least one.` };
  const kept = deps.whyKeep(args.path);
  if (kept) return { refused: `${shown} was not changed: ${kept}` };
  const place = await findPlace(context.workspace, args.path);
  if ("refused" in place) return place;
  const edited = await deps.locks.hold(lockKey(place), () =>
    withNameAt(place, `${shown} was not changed`, (held) => editKeeping(deps, held, args, context.signal)),
  );
  if ("refused" in edited) return edited;
  const count = edited.replacements === 1 ? "1 replacement" : `${edited.replacements} replacements`;
  return {
    outcome: "done",
    output: `Edited ${shown}: ${count}.\n${formatChanges(edited.changes)}`,
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
  const plan = await planEdit(held, args.edits);
  if ("refused" in plan) return plan;
  const kept = await keepOrRefusal(held, () => deps.checkpoints.keep(plan.before));
  if (typeof kept !== "string") return kept;
  const replaced = await replaceFile(held, { content: plan.content, expected: plan.stats, signal });
  if ("written" in replaced) return plan;
  return "refused" in replaced ? replaced : { refused: replaced.changed };
}

async function claimEdit(deps: FileChanges, context: ToolContext, args: EditArguments): Promise<unknown> {
  const plan = await withNameInWorkspace(context.workspace, args.path, "The edit cannot be planned", async (held) => {
    const planned = await planEdit(held, args.edits);
    // what the claim names must be there for an undo, whatever the file holds when the edit is made
    if (!("refused" in planned)) await deps.checkpoints.keep(planned.before);
    return planned;
  });
  // an edit that does not fit is refused when it runs; without hashes nothing can be told about it later
  return "refused" in plan ? { path: args.path } : plan.change;
}

async function recoverEdit(context: ToolContext, args: EditArguments, rawClaim: unknown): Promise<Recovery> {
  const claim = FileChange.safeParse(rawClaim);
  if (!claim.success) return { kind: "unknown" };
  const change = claim.data;
  const now = await withNameInWorkspace(context.workspace, args.path, "The file cannot be read", lookAtName);
  if ("refused" in now) return { kind: "unknown" };
  if (now.sha256 === change.before) return { kind: "not started" };
  if (now.sha256 !== change.after) return { kind: "unknown" };
  const output = `Edited ${quoteName(args.path)}: the file already has its new content.`;
  const wrote = [{ path: args.path, replaced: false }];
  return { kind: "finished", result: { outcome: "done", output, wrote, changes: [change] } };
}
