import type { EventOf } from "../event.ts";
import type { OpenApproval } from "../wire/method.ts";
import type { ApprovalItem, Conversation } from "./conversation.ts";
import { draftOf, putItem } from "./item-list.ts";

export function openApproval(event: EventOf<"approval.asked">): OpenApproval {
  const { approvalId, conversation: sessionKey, turn, tool, display, reason, labels, expiresAtMs } = event;
  const { eachTime, workingDir } = event;
  const asked = { approvalId, sessionKey, turn, tool, display, reason, labels, askedAtMs: event.atMs, expiresAtMs };
  return { ...asked, ...(workingDir && { workingDir }), ...(eachTime && { eachTime }) };
}

export function approvalItem(approval: OpenApproval, place: { seq: number; callId: string | undefined }): ApprovalItem {
  return { kind: "approval", id: `approval:${approval.approvalId}`, ...place, turn: approval.turn, approval };
}

/** The questions of a conversation that nobody has answered, oldest first. */
export function unanswered(conversation: Conversation): readonly OpenApproval[] {
  return conversation.items.flatMap((item) =>
    item.kind === "approval" && item.decision === undefined ? [item.approval] : [],
  );
}

/** Takes in questions that are known to be open; each moves to where it was asked if its event comes later. */
export function addOpenApprovals<Known extends Conversation>(
  conversation: Known,
  approvals: readonly OpenApproval[],
): Known {
  const known = new Set(conversation.items.map(({ id }) => id));
  const added = approvals
    .filter(({ sessionKey }) => sessionKey === conversation.key)
    .map((approval) => approvalItem(approval, { seq: conversation.lastSeq, callId: undefined }))
    .filter(({ id }) => !known.has(id));
  if (added.length === 0) return conversation;
  const draft = draftOf(conversation);
  for (const item of added) putItem(draft, item);
  return draft;
}
