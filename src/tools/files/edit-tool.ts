import { z } from "zod";
import { defineTool, type Recovery, type Tool, type ToolContext, type ToolResult } from "../../contract/tool.ts";
import { hashFile, planEdit } from "./edit-plan.ts";
import { escapeLines, escapeName, quoteName } from "./escape-text.ts";
import { formatChanges } from "./format-changes.ts";
import { lockKey, type PathLocks } from "./path-locks.ts";
import { orRefusal, type Refusal, resultOf } from "./refusal.ts";
import { replaceFile } from "./replace-file.ts";
import { withNameAt, withNameInWorkspace } from "./workspace-files.ts";
import { findPlace } from "./workspace-path.ts";

const EditArguments = z.object({
  path: z.string().describe("File"),
  edits: z
    .array(
      z.object({
        oldText: z.string().describe("Exact text"),
        newText: z.string().describe("Replacement"),
        all: z.boolean().optional().describe("Every match"),
      }),
    )
    .describe("Made in order"),
});
type EditArguments = z.infer<typeof EditArguments>;

const EditClaim = z.object({ path: z.string(), sha256Before: z.string(), sha256After: z.string() });

export function editTool(deps: { locks: PathLocks }): Tool {
  return defineTool({
    name: "edit",
    description: "Replace exact text that occurs once in a file; all edits or none.",
    arguments: EditArguments,
    effects: ["changes"],
    class: "unsafe",
    undo: { kind: "impossible", reason: "earlier versions of files are not kept yet" },
    paths: (args) => [{ path: args.path, access: "write" }],
    formatApproval,
    claim: claimEdit,
    recover: recoverEdit,
    run: async (context, args) => resultOf(await runEdit(deps.locks, context, args)),
  });
}

function formatApproval(args: EditArguments): string {
  const edits = args.edits.map((edit) => {
    const how = edit.all ? "Replace every" : "Replace";
    return `${how}:\n${escapeLines(edit.oldText)}\nwith:\n${escapeLines(edit.newText)}`;
  });
  return [`Edit ${escapeName(args.path)}`, ...edits].join("\n\n");
}

async function runEdit(locks: PathLocks, context: ToolContext, args: EditArguments): Promise<ToolResult | Refusal> {
  const shown = quoteName(args.path);
  if (args.edits.length === 0) return { refused: `${shown} was not changed: edits is empty. Give at least one.` };
  const place = await findPlace(context.workspace, args.path);
  if ("refused" in place) return place;
  return locks.hold(lockKey(place), () =>
    orRefusal(`${shown} was not changed`, () =>
      withNameAt(place, "refuse", async (held): Promise<ToolResult | Refusal> => {
        const plan = await planEdit(held, args.edits);
        if ("refused" in plan) return plan;
        const { content, stats: madeFrom } = plan;
        const replaced = await replaceFile(held, { content, madeFrom, signal: context.signal });
        if ("refused" in replaced) return replaced;
        const count = plan.replacements === 1 ? "1 replacement" : `${plan.replacements} replacements`;
        const output = `Edited ${shown}: ${count}.\n${formatChanges(plan.changes)}`;
        return { outcome: "done", output, wrote: [{ path: args.path, replaced: false }] };
      }),
    ),
  );
}

async function claimEdit(context: ToolContext, args: EditArguments): Promise<unknown> {
  const plan = await orRefusal("The edit cannot be planned", () =>
    withNameInWorkspace(context.workspace, args.path, "refuse", (held) => planEdit(held, args.edits)),
  );
  // an edit that does not fit is refused when it runs; without hashes nothing can be told about it later
  if ("refused" in plan) return { path: args.path };
  return { path: args.path, sha256Before: plan.sha256Before, sha256After: plan.sha256After };
}

async function recoverEdit(context: ToolContext, args: EditArguments, rawClaim: unknown): Promise<Recovery> {
  const claim = EditClaim.safeParse(rawClaim);
  if (!claim.success) return { kind: "unknown" };
  const now = await orRefusal("The file cannot be read", () =>
    withNameInWorkspace(context.workspace, claim.data.path, "refuse", hashFile),
  );
  if ("refused" in now) return { kind: "unknown" };
  if (now.sha256 === claim.data.sha256Before) return { kind: "not started" };
  if (now.sha256 !== claim.data.sha256After) return { kind: "unknown" };
  const output = `Edited ${quoteName(args.path)}: the file already has its new content.`;
  return { kind: "finished", result: { outcome: "done", output } };
}
