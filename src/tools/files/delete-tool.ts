import { z } from "zod";
import { FileChange } from "../../contract/file-change.ts";
import {
  defineTool,
  type Reach,
  type Recovery,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "../../contract/tool.ts";
import { escapeName, quoteName } from "../paths/escape-text.ts";
import { maxKeptBytes } from "../paths/file-change.ts";
import { lockKey } from "../paths/path-locks.ts";
import { type Answer, listProblems, type Refusal, resultOf } from "../paths/refusal.ts";
import { withNameAt, withNameInWorkspace } from "../paths/workspace-files.ts";
import { findPlace, type Place } from "../paths/workspace-path.ts";
import type { FileChanges } from "../undo/file-changes.ts";
import { changesFile } from "./changes-file.ts";
import { type DeletePlan, type DeleteWish, planDelete, standingOf } from "./delete-plan.ts";

const DeleteArguments = z.object({
  path: z.string(),
  recursive: z.boolean().optional().describe("With all in it"),
});
type DeleteArguments = z.infer<typeof DeleteArguments>;

export function deleteTool(deps: FileChanges): Tool {
  return defineTool({
    name: "delete",
    description: "Delete a file or an empty folder.",
    arguments: DeleteArguments,
    ...changesFile,
    effects: ["destroys"],
    formatApproval: (args) =>
      `Delete ${escapeName(args.path)}${args.recursive ? ", and everything in it if it is a folder" : ""}`,
    claim: (context, args) => claimDelete(deps, context, args),
    recover: recoverDelete,
    run: async (context, args) => resultOf(await runDelete(deps, context, args)),
  });
}

async function runDelete(deps: FileChanges, context: ToolContext, args: DeleteArguments): Promise<Answer> {
  const shown = quoteName(args.path);
  const kept = deps.whyKeep(args.path);
  if (kept) return { refused: `${shown} was not deleted: ${kept}` };
  const place = await findDeletable(context, args.path);
  if ("refused" in place) return place;
  return deps.locks.hold(lockKey(place), () =>
    withNameAt(place, `${shown} was not deleted`, async (held): Promise<Answer> => {
      const plan = await planDelete(deps.checkpoints, held, wishOf(context, args));
      if ("refused" in plan) return plan;
      const problems = await plan.remove();
      await held.folder.handle.sync();
      return sayWhatWasDeleted(shown, plan, problems);
    }),
  );
}

function wishOf({ signal }: ToolContext, { recursive = false }: DeleteArguments): DeleteWish {
  return { recursive, signal };
}

async function findDeletable(reach: Reach, path: string): Promise<Place | Refusal> {
  // models like to write folders as "src/"
  const place = await findPlace(reach, path.replace(/(?<=[^/])\/$/, ""), "write");
  if ("refused" in place || place.parts.length > 0) return place;
  const which = place.prefix === "" ? "The workspace" : "That folder";
  return { refused: `${which} itself cannot be deleted. Name something in it.` };
}

function sayWhatWasDeleted(shown: string, plan: DeletePlan, problems: readonly string[]): ToolResult {
  const { change, namesBelow, isPartlyLost } = plan;
  const lost = isPartlyLost
    ? ` Not all of it can be brought back: files above ${maxKeptBytes / 1024 / 1024} MB, pipes and sockets are not kept.`
    : "";
  if (problems.length > 0) {
    const list = listProblems(problems);
    // a single name that stayed means that nothing went
    const changes = change.kind === "folder" && namesBelow > 0 ? [change] : [];
    return { outcome: "failed", output: `${shown} was not deleted completely.${lost}\n${list}`, changes };
  }
  const below = namesBelow > 0 ? ` and the ${namesBelow} names in it` : "";
  const what = change.kind === "file" ? "" : `the ${change.kind} `;
  return { outcome: "done", output: `Deleted ${what}${shown}${below}.${lost}`, changes: [change] };
}

async function claimDelete(deps: FileChanges, context: ToolContext, args: DeleteArguments): Promise<unknown> {
  const place = await findDeletable(context, args.path);
  if ("refused" in place) return { path: args.path };
  const plan = await withNameAt(place, "The deletion cannot be planned", (held) =>
    planDelete(deps.checkpoints, held, wishOf(context, args)),
  );
  // what cannot be deleted is refused when it runs
  return "refused" in plan ? { path: args.path } : plan.change;
}

async function recoverDelete(context: ToolContext, args: DeleteArguments, rawClaim: unknown): Promise<Recovery> {
  const claim = FileChange.safeParse(rawClaim);
  if (!claim.success) return { kind: "unknown" };
  const change = claim.data;
  const now = await withNameInWorkspace(
    context,
    { path: change.path, access: "write" },
    "It cannot be looked at",
    (held) => standingOf(held, context.signal),
  );
  if ("refused" in now) return { kind: "unknown" };
  const shown = quoteName(args.path);
  const changes = [change];
  if (now.sha256 === null)
    return { kind: "finished", result: { outcome: "done", output: `Deleted ${shown}.`, changes } };
  if (now.sha256 === change.before) return { kind: "not started" };
  if (change.kind !== "folder") return { kind: "unknown" };
  const output = `${shown} was not deleted completely: Steward was cut off. Look at what is left of it.`;
  return { kind: "finished", result: { outcome: "failed", output, changes } };
}
