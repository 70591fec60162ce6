// What simple clients are pushed: five views of the log and of what happens right now, one row each.
import { z } from "zod";

/** `runId` is what `chat.send` answered with. */
const inRun = { runId: z.string(), sessionKey: z.string() };

export const pushEvents = {
  /** The pieces of a run add up to its reply. `reset`, always with an empty text, takes back every piece so far. */
  "chat.delta": z.object({ ...inRun, text: z.string(), reset: z.literal(true).optional() }),
  /** Sent for every message that the turn has answered; the text itself is sent under the first of them. */
  "chat.final": z.object({ ...inRun, usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }) }),
  /** The run ended without doing what was asked; the message is for a person. */
  "chat.error": z.object({ ...inRun, message: z.string() }),
  "exec.approval_request": z.object({
    approvalId: z.string(),
    sessionKey: z.string(),
    toolName: z.string(),
    /** Exactly what would be done, in words. */
    summary: z.string(),
    details: z.object({
      arguments: z.unknown(),
      /** The folder a command would run in. */
      workingDir: z.string().optional(),
      reason: z.string(),
      /** Where untrusted text in the conversation came from. */
      labels: z.array(z.string()),
      expiresAtMs: z.number(),
    }),
  }),
  "tool.progress": z.object({ ...inRun, tool: z.string(), message: z.string() }),
};

export type PushEventName = keyof typeof pushEvents;
export type PushEvent = {
  [Name in PushEventName]: { event: Name; data: z.output<(typeof pushEvents)[Name]> };
}[PushEventName];
