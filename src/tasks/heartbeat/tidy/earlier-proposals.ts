// What was proposed for the notes before, and what the owner has said to it: the log comes in.
import { z } from "zod";
import type { EventOf } from "../../../contract/event.ts";
import { tidyConversation } from "../../../contract/task/task.ts";
import type { EventLog } from "../../../store/log/event-log.ts";

export const NoteEdit = z.object({ oldText: z.string(), newText: z.string() });
export type NoteEdit = z.infer<typeof NoteEdit>;

const Proposal = z.object({ path: z.string(), edits: z.array(NoteEdit) });
export type Proposal = z.infer<typeof Proposal>;

export const proposeNotes = "propose_notes";
const mostLookedAt = 2_000;
const mostRefused = 20;

/** Newest first; one that was answered by no person is none of them. */
export async function refusedProposals(log: Pick<EventLog, "latest">): Promise<readonly Proposal[]> {
  const events = await log.latest(tidyConversation, mostLookedAt);
  const refused = new Set(
    events.flatMap((event) =>
      event.type === "approval.answered" && event.decision === "denied" ? [event.approvalId] : [],
    ),
  );
  const asked = events.filter(
    (event): event is EventOf<"approval.asked"> =>
      event.type === "approval.asked" && event.tool === proposeNotes && refused.has(event.approvalId),
  );
  const proposals = asked.toReversed().flatMap(({ arguments: given }) => Proposal.safeParse(given).data ?? []);
  return proposals.slice(0, mostRefused);
}

export function proposalWords({ path, edits }: Proposal): string {
  return [path, ...edits.map(({ oldText, newText }) => `instead of: ${oldText}\nthis: ${newText}`)].join("\n");
}

/** Every edit of it was refused before, however its lines were broken. */
export function wasRefused({ path, edits }: Proposal, refused: readonly Proposal[]): boolean {
  const known = new Set(refused.filter((each) => each.path === path).flatMap((each) => each.edits.map(sameEdit)));
  return edits.length > 0 && edits.every((edit) => known.has(sameEdit(edit)));
}

function sameEdit({ oldText, newText }: NoteEdit): string {
  return JSON.stringify([oldText, newText].map((text) => text.replace(/\s+/g, " ").trim()));
}
