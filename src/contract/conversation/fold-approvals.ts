// What waits for a person as a fold over the log.
import type { Event } from "../event.ts";
import type { OpenApproval } from "../wire/method.ts";
import { openApproval } from "./open-approval.ts";

/** Oldest first. A question that is listed already is not listed twice. */
export function foldApproval(approvals: readonly OpenApproval[], event: Event): readonly OpenApproval[] {
  switch (event.type) {
    case "approval.asked":
      return approvals.some(({ approvalId }) => approvalId === event.approvalId)
        ? approvals
        : [...approvals, openApproval(event)];
    case "approval.answered":
      return without(approvals, ({ approvalId }) => approvalId === event.approvalId);
    case "conversation.deleted":
      return without(approvals, ({ sessionKey }) => sessionKey === event.conversation);
    default:
      return approvals;
  }
}

// the same list when nothing goes, so that nobody is told of a change that is none
function without(
  approvals: readonly OpenApproval[],
  goes: (approval: OpenApproval) => boolean,
): readonly OpenApproval[] {
  return approvals.some(goes) ? approvals.filter((approval) => !goes(approval)) : approvals;
}
