import type { ApprovalDecision } from "../../contract/event.ts";
import type { ApprovalElsewhere } from "./chat-state.ts";
import type { ApprovalItem } from "./view-item.ts";

export function decisionWords(approval: ApprovalItem, decision: ApprovalDecision): string {
  const because = approval.because ? `: ${approval.because}` : "";
  switch (decision) {
    case "approved":
      return "Allowed";
    case "denied":
      return `Denied${because}`;
    case "expired":
      return "Nobody answered in time, which counts as no";
    case "withdrawn":
      return `No longer needed${because}`;
    default:
      return decision satisfies never;
  }
}

export function elsewhereWords(approval: ApprovalElsewhere): string {
  return `Something waits for your approval in ${approval.conversation}: ${approval.display}  (/approve ${approval.approvalId})`;
}
