import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../tests/scenes/eventually.ts";
import type { Channel } from "../../contract/channel/channel.ts";
import { SendFailure } from "../../contract/channel/outgoing-message.ts";
import type { Event } from "../../contract/event.ts";
import type { ChannelsDeps, OpenChannel } from "../channels-deps.ts";
import { slackChannel } from "../slack/slack-channel.ts";
import { telegramChannel } from "../telegram/telegram-channel.ts";
import { openCloseQuestions } from "./close-questions.ts";

/** One answered question stands on each; Slack is away, Telegram is not. */
function twoPlatforms() {
  const edits: string[] = [];
  const closed = new Set<number>();
  const waits: AbortSignal[] = [];
  const away = new SendFailure("Slack is away.", { retry: "again", arrived: "no" });
  const channelOf = (name: string): Channel =>
    ({
      render: (text: string) => [{ markup: text, plain: text }],
      async edit() {
        edits.push(name);
        if (name === "slack") throw away;
      },
    }) as unknown as Channel;
  const channels = new Map<string, OpenChannel>([
    ["slack", { definition: slackChannel, channel: channelOf("slack") }],
    ["telegram", { definition: telegramChannel, channel: channelOf("telegram") }],
  ]);
  let listener: (events: readonly Event[]) => void = () => undefined;
  const question = (channel: string, reply: number) => ({
    ...{ approvalId: `a${reply}`, reply, conversation: `${channel}--1`, channel, ref: "1", answer: undefined },
  });
  const deps = {
    ledger: {
      answeredQuestions: async () =>
        [question("slack", 1), question("telegram", 2)].filter(({ reply }) => !closed.has(reply)),
      chat: async () => ({ address: { chat: "1" }, details: {} }),
    },
    store: {
      log: {
        subscribe(hears: typeof listener) {
          listener = hears;
          return () => undefined;
        },
        at: async () => [{ type: "reply.written", text: "May I?" }],
        async append([event]: readonly { reply: number }[]) {
          closed.add(event?.reply ?? 0);
        },
      },
    },
    ...{ note() {}, trouble() {} },
    sleep(_: number, signal: AbortSignal) {
      waits.push(signal);
      return new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    },
  } as unknown as ChannelsDeps;
  const closes = openCloseQuestions(deps, channels);
  onTestFinished(() => closes.close());
  const delivered = () => listener([{ type: "reply.delivered" } as Event]);
  return { closes, edits, closed, delivered, planned: () => waits.filter(({ aborted }) => !aborted).length };
}

test("a platform that is away keeps no buttons in the chats of another, and is tried again once, however much goes on elsewhere", async () => {
  const { closes, edits, closed, delivered, planned } = twoPlatforms();
  closes.start();
  await eventually(() => [...closed], [2]);
  for (let reply = 0; reply < 50; reply += 1) {
    delivered();
    await eventually(() => edits.filter((name) => name === "slack").length > reply);
  }
  await eventually(planned, 1);
  expect(edits.filter((name) => name === "telegram")).toHaveLength(1);
});
