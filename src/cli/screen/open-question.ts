import type { World } from "../../contract/world.ts";
import { type ChatState, openApprovals } from "../chat/chat-state.ts";

// who presses Enter sooner has written to something else
const readBeforeAnswerMs = 700;

/** An approval can only be given by somebody who could have read what it is about. */
export function openQuestion(world: World) {
  let question: { approvalId: string; shownAtMs: number } | undefined;
  return {
    /** Looks for a question that has just come up. */
    notice(state: ChatState): void {
      const [open] = openApprovals(state);
      if (!open) question = undefined;
      else if (question?.approvalId !== open.approvalId)
        question = { approvalId: open.approvalId, shownAtMs: world.nowMs() };
    },
    /** The question that a line answers, `unread` when it came up too short a time ago to have been read. */
    answered(): string | "unread" | undefined {
      if (!question) return undefined;
      return world.nowMs() - question.shownAtMs < readBeforeAnswerMs ? "unread" : question.approvalId;
    },
  };
}
