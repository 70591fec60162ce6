// A change of a note that waits for the owner, whatever the guard lets through: an edit that each time is asked about.
import { z } from "zod";
import { isNote } from "../../../contract/names/protected-names.ts";
import { tidyConversation } from "../../../contract/task/task.ts";
import { type Asked, type BoundCall, defineTool, type Tool, textResult } from "../../../contract/tool.ts";
import { openQuestions } from "../../../store/tables/task-queries.ts";
import type { TaskDeps } from "../../task-deps.ts";
import { NoteEdit, proposeNotes, refusedProposals, wasRefused } from "./earlier-proposals.ts";

export type ProposeDeps = Pick<TaskDeps, "log" | "database"> & {
  /** The tool that changes a file; a proposal that is approved is a call of it. */
  editTool(): Promise<Tool>;
};

const Wish = z.object({
  path: z.string().refine(isNote, "propose changes of MEMORY.md, USER.md and memory/NAME.md only"),
  edits: z.array(NoteEdit).min(1).max(100),
  why: z.string().trim().min(1).max(500),
});
type Wish = z.infer<typeof Wish>;

const only = "Notes are proposed by the nightly look alone. Use edit.";

export function proposeNotesTool(deps: ProposeDeps): Tool {
  const isSecond = openFirstCalls();
  return defineTool({
    name: proposeNotes,
    description: "Propose a change of a note to the owner.",
    arguments: Wish,
    result: textResult,
    effects: ["changes"],
    class: "unsafe",
    undo: { kind: "checkpointed" },
    asksAlways: true,
    paths: ({ path }) => [{ path, access: "write" }],
    formatApproval: ({ path, why }) => `Tidy ${path}: ${why}`,
    preview: async (asked, args) => {
      const change = await (await editOf(deps, args)).preview(asked);
      return change === undefined ? undefined : `Tidy the notes: ${args.why}\n${change}`;
    },
    async idleBecause(asked, args) {
      const { path } = args;
      if (asked.conversation !== tidyConversation) return only;
      if (isSecond(asked, path)) return `There is a proposal for ${path} already. One call holds all edits of a file.`;
      if (wasRefused(args, await refusedProposals(deps.log))) return "The owner has said no to exactly this before.";
      const isWaiting = (await openQuestions(deps.database)).some((open) => isFor(open, path));
      if (isWaiting) return `A proposal for ${path} waits for the owner already.`;
      // whoever is asked sees every line of it
      const change = await (await editOf(deps, args)).preview(asked);
      return change === undefined ? `These edits do not fit ${path}: copy the old text exactly.` : undefined;
    },
    claim: async (context, args) => (await editOf(deps, args)).claim(context),
    recover: async (context, args, claim) => (await editOf(deps, args)).recover(context, claim),
    async run(context, args) {
      if (context.conversation !== tidyConversation) return { outcome: "failed", output: only };
      return (await editOf(deps, args)).run(context);
    },
  });
}

async function editOf({ editTool }: ProposeDeps, { path, edits }: Wish): Promise<BoundCall> {
  const bound = (await editTool()).bind({ path, edits });
  if (!bound.ok) throw new Error(`a proposal for ${path} is no edit: ${bound.message}`);
  return bound.call;
}

function isFor({ tool, arguments: given }: { tool: string; arguments: unknown }, path: string): boolean {
  return tool === proposeNotes && Wish.safeParse(given).data?.path === path;
}

/** Questions of one step are put together: until then nothing but this knows of the others. */
function openFirstCalls() {
  let turn: string | undefined;
  const first = new Map<string, string>();
  return (asked: Asked, path: string): boolean => {
    const { turn: now, callId = "" } = asked;
    if (now !== turn) first.clear();
    turn = now;
    const known = first.get(path);
    if (known === undefined) first.set(path, callId);
    return known !== undefined && known !== callId;
  };
}
