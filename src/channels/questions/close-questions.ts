// A question that was answered, wherever that was, loses its buttons in every chat in which it stands, and says what came of it.

import { SendFailure } from "../../contract/channel/outgoing-message.ts";
import type { EventOf } from "../../contract/event.ts";
import { reasonOf } from "../../contract/failure.ts";
import type { ChannelsDeps, OpenChannels } from "../channels-deps.ts";

export type CloseQuestions = { start(): void; close(): Promise<void> };

const firstRetryMs = 5_000;
const longestRetryMs = 5 * 60_000;
const sendMs = 15_000;

export function openCloseQuestions(deps: ChannelsDeps, channels: OpenChannels): CloseQuestions {
  const closing = new AbortController();
  let failures = 0;
  let working: Promise<void> = Promise.resolve();
  const stop = deps.store.log.subscribe((events) => {
    if (events.some(({ type }) => type === "approval.answered" || type === "reply.delivered")) look();
  });
  return {
    start: look,
    async close() {
      stop();
      closing.abort();
      await working;
    },
  };

  function look(): void {
    working = working.then(closeAll).catch((cause) => {
      deps.trouble("A question that was answered still has its buttons in a chat.", cause);
    });
  }

  async function closeAll(): Promise<void> {
    let isLeft = false;
    for (const question of await deps.ledger.answeredQuestions()) {
      if (closing.signal.aborted) return;
      const isClosed = await closeOne(question);
      isLeft ||= !isClosed;
    }
    failures = isLeft ? failures + 1 : 0;
    const pauseMs = Math.min(firstRetryMs * 2 ** failures, longestRetryMs);
    if (isLeft) void deps.sleep(pauseMs, closing.signal).then(() => closing.signal.aborted || look());
  }

  async function closeOne({ reply, conversation, channel, ref, answer }: Question): Promise<boolean> {
    const open = channels.get(channel);
    // a channel that is off may be on again
    if (!open) return true;
    try {
      await show(open, { reply, conversation, ref, answer });
    } catch (cause) {
      const isOver = cause instanceof SendFailure && cause.retry === "never";
      deps.note("a question keeps its buttons", { channel, reason: reasonOf(cause), isOver });
      // a platform that is away comes back
      if (!isOver) return false;
    }
    await deps.store.log.append([{ type: "question.closed", conversation, reply }], { durable: false });
    return true;
  }

  type Question = Awaited<ReturnType<ChannelsDeps["ledger"]["answeredQuestions"]>>[number];
  type Open = NonNullable<ReturnType<OpenChannels["get"]>>;

  async function show(
    { channel }: Open,
    { reply, conversation, ref, answer }: Omit<Question, "approvalId" | "channel">,
  ): Promise<void> {
    const chat = await deps.ledger.chat(conversation);
    const [asked] = await deps.store.log.at([reply]);
    if (!chat || asked?.type !== "reply.written") return;
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(sendMs)]);
    if (!channel.edit) return channel.remove?.(chat.address, ref, signal);
    // the buttons stand below the last piece
    const piece = channel.render(asked.text).at(-1);
    const [verdict] = channel.render(verdictWords(answer));
    const both = piece &&
      verdict && { markup: `${piece.markup}\n\n${verdict.markup}`, plain: `${piece.plain}\n\n${verdict.plain}` };
    const room = (both?.markup.length ?? 0) < 1_900;
    await channel.edit(
      chat.address,
      ref,
      { key: `closed.${reply}`, piece: room ? both : verdict, details: chat.details },
      signal,
    );
  }
}

const verdicts = {
  approved: "✅ Approved",
  denied: "❌ Denied",
  expired: "⌛ Nobody answered in time, which counts as no",
  withdrawn: "↩️ Withdrawn",
} as const;

function verdictWords(answer: EventOf<"approval.answered"> | undefined): string {
  if (!answer) return "Answered.";
  const by = answer.by.kind === "owner" && answer.by.name ? ` by ${answer.by.name}` : "";
  return `${verdicts[answer.decision]}${answer.decision === "expired" ? "" : by}.`;
}
