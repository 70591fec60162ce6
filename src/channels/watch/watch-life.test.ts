import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../tests/scenes/eventually.ts";
import { storeIn } from "../../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import type { Channel, ChannelDefinition, ChannelName, Life } from "../../contract/channel/channel.ts";
import { Settings } from "../../contract/settings.ts";
import { openChannelLedger } from "../../store/channels/ledger.ts";
import type { ChannelsDeps, OpenChannel } from "../channels-deps.ts";
import { telegramChannel } from "../telegram/telegram-channel.ts";
import { openWatchLife } from "./watch-life.ts";

const address = { chat: "42" };

/** A channel of which nothing is there but its life, as the test says it is. */
function channelNamed(name: ChannelName, life: () => Life) {
  let reconnects = 0;
  const definition: ChannelDefinition = { ...telegramChannel, name, title: name };
  const reconnect = async () => {
    reconnects += 1;
  };
  const channel = { life, reconnect } as unknown as Channel;
  const open: OpenChannel = { definition, channel };
  return { open, reconnects: () => reconnects };
}

async function watching() {
  const store = await storeIn(await temporaryFolder());
  const now = { ms: 1_000_000 };
  const state = { slack: "connected" as Life["state"], proofMs: now.ms };
  const telegram = channelNamed("telegram", () => ({ state: "connected", lastProofMs: now.ms, detail: "" }));
  const slack = channelNamed("slack", () => ({ state: state.slack, lastProofMs: state.proofMs, detail: "No answer." }));
  // the owner has spoken on Telegram
  await store.log.append([
    {
      type: "chat.met",
      conversation: "telegram--42",
      channel: "telegram",
      address,
      isDirect: true,
      title: "Anna",
      person: "42",
    },
    {
      ...{ type: "message.received", conversation: "telegram--42", channel: "telegram", messageId: "m" },
      ...{ sender: { kind: "owner", id: "telegram:42" }, text: "hi", attachments: [] },
    },
  ]);
  const settings = Settings.parse({ channels: { telegram: { allowedUserIds: ["42"] } } });
  const troubles: string[] = [];
  const deps = {
    ...{ store, settings, ledger: openChannelLedger(store), note() {}, redact: (text: string) => text },
    world: { nowMs: () => now.ms, newId: () => "id" },
    trouble: (message: string) => void troubles.push(message),
  } as unknown as ChannelsDeps;
  const channels = new Map([
    ["telegram", telegram.open],
    ["slack", slack.open],
  ]);
  const watch = openWatchLife(deps, channels, { lookEveryMs: 5, silentAfterMs: 1_000, lostAfterMs: 5_000 });
  onTestFinished(() => watch.close());
  watch.start();
  const told = async () =>
    (await store.log.since(0, 1_000)).flatMap((event) => (event.type === "reply.written" ? [event] : []));
  return { watch, state, now, slack, told, troubles };
}

test("a channel that says nothing any more gets a new connection, and its loss is told by another one, once", async () => {
  const { watch, now, slack, told, troubles } = await watching();
  now.ms += 1_500;
  await eventually(() => slack.reconnects() > 0);
  expect(await told()).toEqual([]);
  now.ms += 5_000;
  await eventually(() => watch.isLost("slack"));
  await eventually(async () => (await told()).length === 1);
  expect(await told()).toMatchObject([{ conversation: "telegram--42", channel: "telegram" }]);
  expect((await told())[0]?.text).toContain("has not answered for a while");
  expect(troubles).toHaveLength(1);
});

test("that it answers again is told as well", async () => {
  const { watch, state, now, told } = await watching();
  now.ms += 7_000;
  await eventually(() => watch.isLost("slack"));
  state.proofMs = now.ms;
  await eventually(async () => (await told()).length === 2);
  expect((await told())[1]?.text).toBe("slack answers again.");
});

test("one that the platform does not let in is told at once, and not connected again and again", async () => {
  const { watch, state, slack, told } = await watching();
  state.slack = "refused";
  await eventually(() => watch.isLost("slack"));
  await eventually(async () => (await told()).length === 1);
  expect(slack.reconnects()).toBe(0);
});

test("that a channel could not be opened is told by another one, once a day however often Steward starts", async () => {
  const { watch, now, told } = await watching();
  const slack = { ...telegramChannel, name: "slack", title: "Slack" } as const;
  for (let start = 0; start < 3; start += 1) await watch.tellUnopened(slack, "SLACK_BOT_TOKEN is missing.");
  expect(await told()).toMatchObject([
    { conversation: "telegram--42", text: "Slack is not connected. SLACK_BOT_TOKEN is missing." },
  ]);
  now.ms += 86_400_000;
  await watch.tellUnopened(slack, "SLACK_BOT_TOKEN is missing.");
  expect(await told()).toHaveLength(2);
});
