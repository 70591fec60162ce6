// A question that was answered, wherever that was, loses its buttons in every chat in which it stands, and says what came of it.

import { SendFailure } from "../../contract/channel/outgoing-message.ts";
import type { EventOf } from "../../contract/event.ts";
import { reasonOf } from "../../contract/failure.ts";
import type { ChannelsDeps, OpenChannels } from "../channels-deps.ts";

export type CloseQuestions = { start(): void; close(): Promise<void> };

const firstRetryMs = 5_000;
const longestRetryMs = 5 * 60_000;
const sendMs = 15_000;

/** Of one channel, so that a platform that is away keeps no buttons in the chats of others. */
type Looking = { isWanted: boolean; failures: number; working?: Promise<void> | undefined; retry?: AbortController };

export function openCloseQuestions(deps: ChannelsDeps, channels: OpenChannels): CloseQuestions {
  const closing = new AbortController();
  const lookings = new Map(
    [...channels.keys()].map((name): [string, Looking] => [name, { isWanted: false, failures: 0 }]),
  );
  const stop = deps.store.log.subscribe((events) => {
    if (events.some(({ type }) => type === "approval.answered" || type === "reply.delivered")) lookEverywhere();
  });
  return {
    start: lookEverywhere,
    async close() {
      stop();
      closing.abort();
      await Promise.all([...lookings.values()].map(({ working }) => working));
    },
  };

  function lookEverywhere(): void {
    for (const [channel, looking] of lookings) look(channel, looking);
  }

  /** However often it is asked for meanwhile, one look follows, and one retry is planned. */
  function look(channel: string, looking: Looking): void {
    looking.isWanted = true;
    looking.working ??= lookWhileWanted(channel, looking)
      .catch((cause) => deps.trouble("A question that was answered still has its buttons in a chat.", cause))
      .finally(() => {
        looking.working = undefined;
        if (looking.isWanted && !closing.signal.aborted) look(channel, looking);
      });
  }

  async function lookWhileWanted(channel: string, looking: Looking): Promise<void> {
    while (looking.isWanted && !closing.signal.aborted) {
      looking.isWanted = false;
      looking.failures = (await closeAll(channel)) ? 0 : looking.failures + 1;
      if (looking.failures > 0) void lookAgain(channel, looking);
    }
  }

  async function closeAll(channel: string): Promise<boolean> {
    const questions = (await deps.ledger.answeredQuestions()).filter((question) => question.channel === channel);
    let isAllClosed = true;
    for (const question of questions) {
      if (closing.signal.aborted) return true;
      const isClosed = await closeOne(question);
      isAllClosed &&= isClosed;
    }
    return isAllClosed;
  }

  async function lookAgain(channel: string, looking: Looking): Promise<void> {
    looking.retry?.abort();
    const planned = new AbortController();
    looking.retry = planned;
    const signal = AbortSignal.any([closing.signal, planned.signal]);
    await deps.sleep(Math.min(firstRetryMs * 2 ** looking.failures, longestRetryMs), signal);
    if (!signal.aborted) look(channel, looking);
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
