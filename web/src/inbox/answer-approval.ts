import type { OpenApproval } from "../../../src/contract/wire/method.ts";
import { CallFailed, type GatewayLink } from "../gateway/gateway-link.ts";

export type Answer = { kind: "approve" } | { kind: "always" } | { kind: "deny"; reason?: string };

/** Undefined when it was taken; otherwise why not, for a person. */
export async function answerApproval(
  link: GatewayLink,
  approval: OpenApproval,
  answer: Answer,
): Promise<string | undefined> {
  const { approvalId } = approval;
  try {
    if (answer.kind === "deny") {
      const reason = answer.reason?.trim();
      await link.call("exec.deny", { approvalId, ...(reason ? { reason } : {}) });
    } else {
      await link.call("exec.approve", { approvalId, always: answer.kind === "always" });
    }
    return undefined;
  } catch (cause) {
    return problemWords(cause);
  }
}

/** One answer for many; those that somebody else answered meanwhile are no problem. */
export async function answerApprovals(
  link: GatewayLink,
  approvalIds: readonly string[],
  decision: "approved" | "denied",
): Promise<{ answered: number; problem?: string }> {
  const most = 100;
  let answered = 0;
  try {
    for (let start = 0; start < approvalIds.length; start += most) {
      const some = approvalIds.slice(start, start + most);
      answered += (await link.call("approvals.answer", { approvalIds: some, decision })).answered;
    }
    return { answered };
  } catch (cause) {
    return { answered, problem: problemWords(cause) };
  }
}

function problemWords(cause: unknown): string {
  if (!(cause instanceof CallFailed)) throw cause;
  if (cause.code === "not_found" || cause.code === "conflict") return "This was answered already, or its time was up.";
  return cause.message;
}
