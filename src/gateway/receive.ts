// The front door: everything that may start or continue a turn comes in here and is on disk before the door answers.
import type { AttachmentRef } from "../contract/attachment.ts";
import { CallRefused } from "../contract/client.ts";
import type { ApprovalDecision, NewEvent, Sender } from "../contract/event.ts";
import type { World } from "../contract/world.ts";
import type { Queue } from "../queue/queue.ts";
import type { EventLog } from "../store/event-log.ts";
import { findOpenApproval, waitingMessages } from "../store/ledger.ts";

export type IncomingMessage = {
  conversation: string;
  channel: string;
  sender: Sender;
  text: string;
  attachments: readonly AttachmentRef[];
  /** The platform's own number of the message; the same number twice is one message. */
  idempotencyKey?: string | undefined;
};

export type Receipt = { accepted: boolean; messageId: string; seq: number; reason?: string };

export type ReceiveDeps = { world: World; log: EventLog; queue: Pick<Queue, "wake">; maxWaiting: number };

export async function receiveMessage(deps: ReceiveDeps, message: IncomingMessage): Promise<Receipt> {
  const { conversation, channel, sender, text } = message;
  const messageId = deps.world.newId("message");
  const { events } = await deps.log.appendDecided(
    async (tx): Promise<readonly NewEvent[]> => {
      const waiting = await waitingMessages(tx, conversation);
      if (waiting.length < deps.maxWaiting) {
        return [
          {
            type: "message.received",
            conversation,
            messageId,
            channel,
            sender,
            text,
            attachments: [...message.attachments],
          },
        ];
      }
      const reason = `Messages limit reached: ${waiting.length} are waiting already. Please send this again when some of them are answered.`;
      return [
        { type: "message.refused", conversation, messageId, channel, sender, text, reason },
        { type: "reply.written", conversation, channel, text: reason, attachments: [] },
      ];
    },
    { durable: true, idempotencyKey: message.idempotencyKey && `${channel}:${message.idempotencyKey}` },
  );
  deps.queue.wake(conversation);
  const [first] = events;
  if (first?.type === "message.received") return { accepted: true, messageId: first.messageId, seq: first.seq };
  if (first?.type === "message.refused")
    return { accepted: false, messageId: first.messageId, seq: first.seq, reason: first.reason };
  throw new Error(`receiving a message wrote ${first?.type ?? "nothing"}`);
}

/** Only the owner answers, only once, only in time; the turn then goes on in this process or the next. */
export async function receiveAnswer(
  deps: ReceiveDeps,
  answer: {
    approvalId: string;
    decision: Extract<ApprovalDecision, "approved" | "denied">;
    by: Sender;
    reason?: string | undefined;
    /** Do not ask again about the exact same call. */
    always?: boolean;
  },
): Promise<void> {
  const { approvalId, decision, by, reason } = answer;
  if (by.kind !== "owner") throw new CallRefused("forbidden", "Only the owner may answer this.");
  const { events } = await deps.log.appendDecided(async (tx) => {
    const open = await findOpenApproval(tx, approvalId);
    if (!open)
      throw new CallRefused("not_found", "That question is not open: it was answered, withdrawn, or has run out.");
    if (open.expiresAtMs <= deps.world.nowMs())
      throw new CallRefused("conflict", "That question has run out, which counts as no.");
    const { conversation, turn, callId } = open;
    const grants = answer.always && decision === "approved" ? await bindingAsked(deps, open.askedSeq) : undefined;
    return [
      {
        type: "approval.answered",
        conversation,
        turn,
        approvalId,
        callId,
        decision,
        by,
        ...(reason && { reason }),
        ...(grants && { grants }),
      },
    ];
  });
  for (const event of events) deps.queue.wake(event.conversation);
}

async function bindingAsked(deps: ReceiveDeps, askedSeq: number): Promise<string | undefined> {
  const [asked] = await deps.log.at([askedSeq]);
  return asked?.type === "approval.asked" ? asked.binding : undefined;
}
