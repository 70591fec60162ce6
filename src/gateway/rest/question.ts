import { z } from "zod";
import { openApproval } from "../../contract/conversation/open-approval.ts";
import { OpenApproval } from "../../contract/wire/method.ts";
import type { OpenQuestion } from "../../store/tables/task-queries.ts";

const { turn: _, ...asked } = OpenApproval.shape;

/**
 * Something that waits for a person, with all that is needed to decide and to answer: `POST /api/approvals/<callId>`
 * answers it; so does the approvalId, which is never given twice. `labels`: where untrusted text in the conversation
 * came from.
 */
export const Question = z.object({ callId: z.string(), ...asked, input: z.unknown() });
export type Question = z.infer<typeof Question>;

export function questionOf(event: OpenQuestion): Question {
  const { turn: _, ...approval } = openApproval(event);
  return { callId: event.callId, ...approval, input: event.arguments };
}
