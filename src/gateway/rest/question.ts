import { z } from "zod";
import type { OpenQuestion } from "../../store/tables/task-queries.ts";

/** Something that waits for a person, with all that is needed to decide and to answer. */
export const Question = z.object({
  /** `POST /api/approvals/<callId>` answers it; so does the approvalId, which is never given twice. */
  callId: z.string(),
  approvalId: z.string(),
  sessionKey: z.string(),
  tool: z.string(),
  input: z.unknown(),
  display: z.string(),
  reason: z.string(),
  /** Where untrusted text in the conversation came from. */
  labels: z.array(z.string()),
  askedAtMs: z.number(),
  expiresAtMs: z.number(),
});
export type Question = z.infer<typeof Question>;

export function questionOf(asked: OpenQuestion): Question {
  const { callId, approvalId, conversation, tool, display, reason, labels, atMs, expiresAtMs } = asked;
  return {
    callId,
    approvalId,
    sessionKey: conversation,
    tool,
    input: asked.arguments,
    display,
    reason,
    labels,
    askedAtMs: atMs,
    expiresAtMs,
  };
}
