import { z } from "zod";
import type { Address } from "../../contract/channel/address.ts";
import type { ChannelBase } from "../../contract/channel/channel.ts";
import type { Envelope } from "./connection/socket.ts";
import type { CallSlack } from "./connection/web-api.ts";
import { isOwnAddress } from "./files.ts";
import type { Incoming, Intake } from "./intake.ts";
import type { Marks } from "./marks.ts";
import {
  type ButtonPress,
  messageUpdate,
  pressUpdate,
  type Reading,
  readMessage,
  readOpenedThread,
  readPress,
  type SpokenMessage,
} from "./read-update.ts";
import { commandUpdate, readCommand, type SlackCommand } from "./reading/read-command.ts";
import { escapeText } from "./reading/read-text.ts";

export type ReceiveDeps = {
  base: Pick<ChannelBase, "world" | "note">;
  call: CallSlack;
  intake: Intake;
  marks: Marks;
  apiUrl: string;
  timeoutMs: number;
  closing: AbortSignal;
  /** Only there once Slack has said who Steward is, which is before the first envelope. */
  reading(): Reading;
};

export type Receiver = {
  /** Whether the envelope may be acknowledged: it is on disk, or concerns nobody. */
  envelope(envelope: Envelope): Promise<boolean>;
  /** A message of the history, for whoever stands in the chat's line. */
  missed(raw: unknown): Promise<boolean>;
  settled(): Promise<void>;
};

const EventPayload = z.object({ event: z.unknown().optional() });
const Done = z.object({ ok: z.literal(true) });
const suggestions = [
  { title: "What can you do?", message: "What can you do for me?" },
  { title: "What is going on?", message: "What are you working on, and what waits for me?" },
  { title: "Remind me", message: "Remind me tomorrow at nine to " },
];

export function openReceiver(deps: ReceiveDeps): Receiver {
  // what Slack is told beside, for which no acknowledgement waits
  const told = new Set<Promise<void>>();
  return {
    async envelope({ type, payload }) {
      if (type === "events_api") return await takeEvent(EventPayload.safeParse(payload).data?.event);
      const press = type === "interactive" ? readPress(payload) : undefined;
      if (press) return await deps.intake.take(incomingPress(press));
      const command = type === "slash_commands" ? readCommand(payload) : undefined;
      return command ? await deps.intake.take(incomingCommand(command)) : true;
    },
    async missed(raw) {
      const message = readMessage(raw, deps.reading().us);
      return message ? await noted(message, deps.intake.takeNow) : true;
    },
    settled: async () => void (await Promise.allSettled(told)),
  };

  async function takeEvent(event: unknown): Promise<boolean> {
    const message = readMessage(event, deps.reading().us);
    if (message) return await noted(message, deps.intake.take);
    const opened = readOpenedThread(event);
    if (opened) tell("Slack does not show the suggestions", greet(opened));
    return true;
  }

  function tell(whatIsMissing: string, telling: Promise<unknown>): void {
    const done = telling
      .then(
        () => undefined,
        (cause: unknown) => deps.base.note(whatIsMissing, { cause: String(cause) }),
      )
      .finally(() => told.delete(done));
    told.add(done);
  }

  async function noted(message: SpokenMessage, take: Intake["take"]): Promise<boolean> {
    const { channel: chat, ts } = message;
    const isTaken = await take({ line: chat, key: ts, make: () => messageUpdate(deps.reading(), message) });
    if (isTaken) await deps.marks.advance(chat, ts);
    return isTaken;
  }

  function incomingPress(press: ButtonPress): Incoming {
    // Slack waits three seconds for the acknowledgement, and an answer may take longer
    const answer = async (text: string) => tell("a press was not confirmed", answerPress(deps, press, text));
    const make = () => pressUpdate(deps.reading(), press, deps.base.world.nowMs(), answer);
    return { line: `presses ${press.address.chat}`, key: press.key, make };
  }

  function incomingCommand(command: SlackCommand): Incoming {
    const { call, base } = deps;
    const make = () => commandUpdate({ reading: deps.reading(), call, nowMs: base.world.nowMs() }, command);
    return { line: command.channel_id, key: command.trigger_id, make };
  }

  async function greet({ chat, thread }: Required<Address>): Promise<void> {
    const args = { channel_id: chat, thread_ts: thread, prompts: suggestions };
    await deps.call("assistant.threads.setSuggestedPrompts", args, Done);
  }
}

/** Only the person who has pressed sees it. */
async function answerPress(deps: ReceiveDeps, press: ButtonPress, words: string): Promise<void> {
  const text = escapeText(words);
  if (press.responseUrl && isOwnAddress(deps.apiUrl, press.responseUrl)) {
    const response = await fetch(press.responseUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ response_type: "ephemeral", replace_original: false, text }),
      redirect: "error",
      signal: AbortSignal.any([deps.closing, AbortSignal.timeout(deps.timeoutMs)]),
      // the address is good for five answers in half an hour; after that the other way is open
    }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
  }
  const { chat, thread } = press.address;
  const args = { channel: chat, user: press.user, text, ...(thread && { thread_ts: thread }) };
  await deps.call("chat.postEphemeral", args, Done);
}
