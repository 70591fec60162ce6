// The way in: everything that may start or continue a turn comes in here and is on disk before it is acknowledged.

import type { ApprovalDecision, NewEvent } from "../contract/event.ts";
import type { IncomingMessage, Receipt } from "../contract/incoming-message.ts";
import type { Sender } from "../contract/sender.ts";
import { isBackground, runKeyIn } from "../contract/task/task.ts";
import { CallRefused } from "../contract/wire/client.ts";
import type { World } from "../contract/world.ts";
import type { Queue } from "../queue/queue.ts";
import type { Queryable } from "../store/database/database.ts";
import type { EventLog } from "../store/log/event-log.ts";
import { findOpenApproval } from "../store/tables/approvals.ts";
import { conversationState } from "../store/tables/conversations.ts";
import { openTurnOf, waitingMessages } from "../store/tables/open-work.ts";
import { requireRunnable, requireWanted } from "../store/tasks/tasks.ts";

export type ReceiveDeps = { world: World; log: EventLog; queue: Pick<Queue, "wake">; maxWaiting: number };

export async function receiveMessage(deps: ReceiveDeps, message: IncomingMessage): Promise<Receipt> {
  const { conversation, channel, sender, text } = message;
  const said = { conversation, messageId: deps.world.newId("message"), channel, sender, text };
  const { events } = await deps.log.appendDecided(
    async (tx): Promise<readonly NewEvent[]> => {
      const rewound = message.replaces === undefined ? [] : await rewind(deps, tx, message, message.replaces);
      if (message.run) await requireRunnable(tx, message.run);
      else if (sender.kind === "system") await requireWanted(tx, conversation);
      const waiting = await waitingMessages(tx, conversation);
      if (waiting.length < deps.maxWaiting)
        return [...rewound, { type: "message.received", ...said, ...besideWords(message) }];
      // whoever begins a run tries again under the same key, which a refusal on disk would use up
      if (message.run) throw new CallRefused("failed", `${waiting.length} runs wait in this task already.`);
      const reason = `Messages limit reached: ${waiting.length} are waiting already. Please send this again when some of them are answered.`;
      return [
        { type: "message.refused", ...said, reason },
        { type: "reply.written", conversation, channel, text: reason, attachments: [] },
      ];
    },
    { durable: true, idempotencyKey: keyOf(message) },
  );
  deps.queue.wake(conversation);
  const [earliest] = events;
  // a repeated key finds the first event of its commit, and an edit writes the message as the second
  const [first] = earliest?.type === "conversation.rewound" ? await deps.log.at([earliest.seq + 1]) : events;
  // acknowledged would mean kept, and it is the first one that was kept
  if (first && "text" in first && first.text !== text)
    throw new CallRefused("conflict", "This idempotency key belongs to another message. Use a new key for new words.");
  if (first?.type === "message.received") return { accepted: true, messageId: first.messageId, seq: first.seq };
  if (first?.type === "message.refused")
    return { accepted: false, messageId: first.messageId, seq: first.seq, reason: first.reason };
  throw new Error(`receiving a message wrote ${first?.type ?? "nothing"}`);
}

function besideWords({ attachments, data, labels = [], named, run }: IncomingMessage) {
  return {
    attachments: [...attachments],
    ...(data !== undefined && { data }),
    ...(labels.length > 0 && { labels: [...labels] }),
    ...(run && { run }),
    ...(named && { named: [...named] }),
  };
}

function keyOf({ conversation, idempotencyKey: key, run }: IncomingMessage): string | undefined {
  return key && (run ? runKeyIn(conversation, key) : messageKey(conversation, key));
}

/** A key says something in its own conversation only: nobody else can guess it or use it up. */
export function messageKey(conversation: string, key: string): string {
  return `${conversation}:${key}`;
}

// an edit takes back words, never deeds: what tools did is in the log, and undo is another matter
async function rewind(
  deps: ReceiveDeps,
  tx: Queryable,
  { conversation, sender }: IncomingMessage,
  fromSeq: number,
): Promise<readonly NewEvent[]> {
  if (sender.kind !== "owner") throw new CallRefused("forbidden", "Only the owner may change what was said.");
  // every run begins afresh there, and what an earlier one has read must not come back without its labels
  if (isBackground(conversation)) throw new CallRefused("conflict", "What was said in a run stays as it was.");
  const [replaced] = await deps.log.at([fromSeq]);
  if (replaced?.type !== "message.received" || replaced.conversation !== conversation)
    throw new CallRefused("not_found", `There is no message ${fromSeq} in this conversation.`);
  if ((await openTurnOf(tx, conversation)) || (await waitingMessages(tx, conversation)).length > 0)
    throw new CallRefused("conflict", "Steward is still answering. Stop it first.");
  const { compactedSeq = 0 } = (await conversationState(tx, conversation)) ?? {};
  const [compaction] = compactedSeq > 0 ? await deps.log.at([compactedSeq]) : [];
  if (compaction?.type === "conversation.renewed" && compaction.seq > fromSeq)
    throw new CallRefused("conflict", "That was said before you began anew.");
  if (compaction?.type === "conversation.compacted" && compaction.throughSeq >= fromSeq)
    throw new CallRefused(
      "conflict",
      "That message has been summarised already. Say it anew, or begin a new conversation.",
    );
  return [{ type: "conversation.rewound", conversation, fromSeq, by: sender }];
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
    const call = { conversation, turn, approvalId, callId };
    const details = { decision, by, ...(reason && { reason }), ...(grants && { grants }) };
    return [{ type: "approval.answered", ...call, ...details }];
  });
  for (const event of events) deps.queue.wake(event.conversation);
}

async function bindingAsked(deps: ReceiveDeps, askedSeq: number): Promise<string | undefined> {
  const [asked] = await deps.log.at([askedSeq]);
  if (asked?.type !== "approval.asked") return undefined;
  if (asked.eachTime)
    throw new CallRefused("conflict", "This is asked about each time, so an always would not hold. Approve it once.");
  return asked.binding;
}
