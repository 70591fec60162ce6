import { expect, onTestFinished, test } from "vitest";
import { openSlack } from "../../src/channels/slack/open-slack.ts";
import { type Pace, usualPace } from "../../src/channels/slack/pace.ts";
import { slackChannel } from "../../src/channels/slack/slack-channel.ts";
import type { ChannelDefinition } from "../../src/contract/channel/channel.ts";
import type { IncomingUpdate } from "../../src/contract/channel/incoming-update.ts";
import type { OutgoingMessage } from "../../src/contract/channel/outgoing-message.ts";
import { type FakeSlack, startFakeSlack } from "../fakes/channels/slack-server.ts";
import { type ChannelSceneOptions, openChannelScene } from "../scenes/channels/channel-scene.ts";
import { eventually } from "../scenes/eventually.ts";

const quick: Partial<Pace> = { firstWaitMs: 20, longestWaitMs: 100 };

async function slackScene(options: ChannelSceneOptions & { pace?: Partial<Pace>; slack?: FakeSlack } = {}) {
  const slack = options.slack ?? (await startFakeSlack());
  if (!options.slack) onTestFinished(() => slack.close());
  const definition: ChannelDefinition = {
    ...slackChannel,
    open: (base) => openSlack(base, { ...usualPace, ...quick, ...options.pace }),
  };
  const scene = await openChannelScene(definition, {
    ...options,
    settings: { apiUrl: slack.apiUrl, ...options.settings },
    secrets: options.secrets ?? { SLACK_BOT_TOKEN: slack.tokens.bot, SLACK_APP_TOKEN: slack.tokens.app },
  });
  return { ...scene, slack };
}

async function connected(options: Parameters<typeof slackScene>[0] = {}) {
  const scene = await slackScene(options);
  scene.channel.start();
  await eventually(() => scene.channel.life().state, "connected");
  return scene;
}

function texts(taken: readonly IncomingUpdate[]): readonly string[] {
  return taken.map((update) => (update.kind === "message" ? update.text : `pressed ${update.press}`));
}

function piece(text: string, more: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return { key: `key of ${text}`, piece: { markup: text, plain: text }, details: {}, ...more };
}

test("what is written to Steward comes in with the person's name and is acknowledged", async () => {
  const { slack, taken } = await connected();
  const ts = slack.say({ channel: "D1", text: "a &lt; b &amp; c" });
  await eventually(() => taken.length, 1);
  expect(taken[0]).toMatchObject({
    ...{ kind: "message", key: ts, text: "a < b & c", isDirect: true, title: "Ada", from: { id: "UADA", name: "Ada" } },
    address: { chat: "D1" },
  });
  await eventually(() => slack.sockets.unacknowledged(), 0);
});

test("a message is acknowledged only after it was kept", async () => {
  const kept = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const { slack, taken } = await connected({
    async onTake() {
      reached.resolve();
      await kept.promise;
    },
  });
  slack.say({ channel: "D1", text: "hello" });
  await reached.promise;
  expect(slack.sockets.acknowledged).toEqual([]);
  kept.resolve();
  await eventually(() => slack.sockets.acknowledged.length, 1);
  expect(texts(taken)).toEqual(["hello"]);
});

test("a message that could not be kept comes again, before whatever was said after it", async () => {
  let failures = 0;
  const { slack, taken, troubles } = await connected({
    onTake() {
      failures += 1;
      if (failures <= 2) throw new Error("the disk is full");
    },
  });
  slack.say({ channel: "D1", text: "first" });
  slack.say({ channel: "D1", text: "second" });
  await eventually(() => texts(taken), ["first", "second"]);
  await eventually(() => slack.sockets.unacknowledged(), 0);
  expect(troubles[0]).toContain("the disk is full");
});

test("a chat whose message cannot be kept does not hold up the others", async () => {
  const stuck = Promise.withResolvers<void>();
  const { slack, taken } = await connected({
    onTake: (update) => (update.address.chat === "D1" ? stuck.promise : undefined),
  });
  slack.say({ channel: "D1", text: "waits" });
  slack.say({ channel: "D2", user: "UBEN", text: "passes" });
  await eventually(() => texts(taken), ["passes"]);
  stuck.resolve();
});

test("what Slack sends twice is one message", async () => {
  const { slack, taken } = await connected();
  slack.sockets.faults.twice = true;
  const ts = slack.say({ channel: "C1", text: "<@UBOT> hello" });
  slack.event({ type: "app_mention", channel: "C1", user: "UADA", ts, text: "<@UBOT> hello" });
  slack.say({ channel: "C1", text: "the last one" });
  await eventually(() => texts(taken), ["hello", "the last one"]);
  await eventually(() => slack.sockets.unacknowledged(), 0);
});

test("while Slack repeats a message that is still being kept, it is kept once", async () => {
  const kept = Promise.withResolvers<void>();
  const { slack, taken } = await connected({ onTake: () => kept.promise });
  slack.say({ channel: "D1", text: "once" });
  await eventually(() => slack.sockets.sent.length, 1);
  slack.sockets.redeliver();
  await eventually(() => slack.sockets.sent.length, 2);
  kept.resolve();
  await eventually(() => slack.sockets.acknowledged.length, 2);
  expect(texts(taken)).toEqual(["once"]);
});

test("messages that arrive the other way round are both taken", async () => {
  const { slack, taken } = await connected();
  const letGo = slack.sockets.turnAround();
  slack.say({ channel: "D1", text: "first" });
  slack.say({ channel: "D1", text: "second" });
  letGo();
  await eventually(() => [...texts(taken)].sort(), ["first", "second"]);
});

test("in a channel a thread is a conversation, and a message that calls Steward begins one", async () => {
  const { slack, taken } = await connected();
  slack.say({ channel: "C1", text: "just talking" });
  const root = slack.say({ channel: "C1", text: "<@UBOT>: what is up, <@UBEN>?" });
  slack.say({ channel: "C1", text: "go on", thread: root, with: { parent_user_id: "UADA" } });
  slack.say({ channel: "C1", text: "your words", thread: "1.1", with: { parent_user_id: "UBOT" } });
  slack.say({ channel: "G1", text: "several" });
  await eventually(() => taken.length, 5);
  const seen = taken.map((update) => ({
    ...update.address,
    ...(update.kind === "message" && { text: update.text, addressesUs: update.addressesUs, title: update.title }),
    isDirect: update.isDirect,
  }));
  const general = { chat: "C1", title: "#general", isDirect: false };
  expect(seen.filter(({ chat }) => chat === "C1")).toEqual([
    { ...general, text: "just talking", addressesUs: false },
    { ...general, thread: root, text: "what is up, @Ben?", addressesUs: true },
    { ...general, thread: root, text: "go on", addressesUs: false },
    { ...general, thread: "1.1", text: "your words", addressesUs: true },
  ]);
  expect(seen.find(({ chat }) => chat === "G1")).toMatchObject({ isDirect: false, text: "several" });
});

test("messages of programs, edits and joins are passed over and acknowledged", async () => {
  const { slack, taken } = await connected();
  slack.say({ channel: "C1", text: "from a program", with: { bot_id: "B1" } });
  slack.say({ channel: "C1", user: "UBOT", text: "Steward's own" });
  for (const subtype of ["bot_message", "message_changed", "message_deleted", "channel_join"]) {
    slack.say({ channel: "C1", text: subtype, with: { subtype } });
  }
  slack.event({ type: "a_new_kind_of_event", user: 7 });
  slack.sockets.envelope("slash_commands", { command: "/other" });
  slack.say({ channel: "C1", text: "a person" });
  await eventually(() => texts(taken), ["a person"]);
  await eventually(() => slack.sockets.unacknowledged(), 0);
});

test("the assistant pane greets with suggestions, and its thread is the conversation", async () => {
  const { slack, taken, channel, signal } = await connected();
  const thread = slack.keep({ channel: "D1", user: "UBOT", text: "New chat" });
  slack.event({
    type: "assistant_thread_started",
    assistant_thread: { user_id: "UADA", channel_id: "D1", thread_ts: thread },
  });
  await eventually(() => slack.calls("assistant.threads.setSuggestedPrompts").length, 1);
  slack.say({ channel: "D1", text: "hello", thread });
  await eventually(() => taken[0]?.address, { chat: "D1", thread });
  await channel.typing?.({ chat: "D1", thread }, signal);
  await channel.typing?.({ chat: "D1" }, signal);
  await channel.typing?.({ chat: "C1", thread: "1.1" }, signal);
  expect(slack.calls("assistant.threads.setStatus").map(({ args }) => args)).toEqual([
    { channel_id: "D1", thread_ts: thread, status: "is thinking…" },
  ]);
});

test("what was said while Steward was away is read afterwards, in order, threads included", async () => {
  const slack = await startFakeSlack();
  onTestFinished(() => slack.close());
  const remembered = new Map<string, string>();
  const first = await connected({ slack, remembered });
  const root = slack.say({ channel: "C1", text: "<@UBOT> begin" });
  slack.say({ channel: "D1", text: "before" });
  await eventually(() => slack.sockets.unacknowledged(), 0);
  await first.channel.close();
  slack.say({ channel: "C1", text: "in the thread", thread: root });
  slack.say({ channel: "C1", text: "in the channel" });
  const asked = slack.say({ channel: "C1", text: "<@UBOT> a new one" });
  slack.say({ channel: "C1", text: "and more", thread: asked });
  slack.say({ channel: "D1", text: "are you there?" });
  slack.say({ channel: "D1", text: "a program's", with: { bot_id: "B1" } });
  const chats = [
    { address: { chat: "C1", thread: root }, isDirect: false },
    { address: { chat: "D1" }, isDirect: true },
  ];
  const { taken } = await connected({ slack, remembered, chats });
  const news = () => taken.filter((update) => update.kind === "message" && !/begin|before/.test(update.text));
  await eventually(() => news().length, 5);
  slack.say({ channel: "D1", text: "at last" });
  await eventually(() => texts(news().filter(({ address }) => address.chat === "D1")), ["are you there?", "at last"]);
  const inChannel = news().filter(({ address }) => address.chat === "C1");
  expect(texts(inChannel)).toEqual(["in the thread", "in the channel", "a new one", "and more"]);
  expect(inChannel.map(({ address }) => address.thread)).toEqual([root, undefined, asked, asked]);
  expect(news().find(({ address }) => address.chat === "D1")?.isDirect).toBe(true);
});

test.each([true, false])(
  "a long absence is read page by page, from the oldest (%s) or not",
  async (beginsWithOldest) => {
    const slack = await startFakeSlack();
    onTestFinished(() => slack.close());
    slack.history.beginsWithOldest = beginsWithOldest;
    const before = slack.keep({ channel: "D1", text: "before" });
    for (let count = 0; count < 450; count += 1) slack.keep({ channel: "D1", text: `message ${count}` });
    const { taken } = await connected({
      slack,
      remembered: new Map([["seen:D1", before]]),
      chats: [{ address: { chat: "D1" }, isDirect: true }],
    });
    await eventually(() => taken.length, 451);
    expect(texts(taken).slice(1)).toEqual(Array.from({ length: 450 }, (_, count) => `message ${count}`));
  },
);

test("a direct chat that fell silent long ago is read afterwards too", async () => {
  const slack = await startFakeSlack();
  onTestFinished(() => slack.close());
  const before = slack.keep({ channel: "D1", text: "before" });
  slack.keep({ channel: "D1", text: "after long" });
  const threads = Array.from({ length: 80 }, (_, count) => ({
    ...{ address: { chat: "C1", thread: `${count}.1` }, isDirect: false },
  }));
  const chats = [...threads, { address: { chat: "D1" }, isDirect: true }];
  const { taken } = await connected({ slack, remembered: new Map([["seen:D1", before]]), chats });
  await eventually(() => texts(taken), ["before", "after long"]);
});

test("whoever may talk and has never done so is heard too, however long Steward was away", async () => {
  const slack = await startFakeSlack();
  onTestFinished(() => slack.close());
  const remembered = new Map<string, string>();
  const settings = { allowedUserIds: ["U404", "UBEN"] };
  const first = await connected({ slack, remembered, settings });
  await first.channel.close();
  slack.keep({ channel: "D2", user: "UBEN", text: "hello?" });
  const { taken, troubles } = await connected({ slack, remembered, settings });
  await eventually(() => texts(taken), ["hello?"]);
  expect(taken[0]).toMatchObject({ address: { chat: "D2" }, isDirect: true });
  expect(troubles).toEqual([]);
});

test("what somebody wrote to the app before it was Steward's is not read", async () => {
  const slack = await startFakeSlack();
  onTestFinished(() => slack.close());
  const remembered = new Map<string, string>();
  const settings = { allowedUserIds: ["UBEN"] };
  slack.keep({ channel: "D2", user: "UBEN", text: "long ago" });
  const first = await connected({ slack, remembered, settings });
  await first.channel.close();
  slack.keep({ channel: "D2", user: "UBEN", text: "today" });
  const { taken } = await connected({ slack, remembered, settings });
  await eventually(() => texts(taken), ["today"]);
});

test("where Slack does not say at once who writes where, Steward connects all the same and asks again later", async () => {
  const slack = await startFakeSlack();
  onTestFinished(() => slack.close());
  slack.faults.push({ method: "conversations.open", kind: "status", status: 503 });
  const remembered = new Map<string, string>();
  const settings = { allowedUserIds: ["UBEN", "UADA"] };
  const { channel } = await connected({ slack, remembered, settings });
  expect(slack.calls("conversations.open")).toHaveLength(1);
  await channel.reconnect();
  await eventually(() => ["direct:UBEN", "direct:UADA"].map((name) => remembered.get(name)), ["D2", "D1"]);
});

test("a person's answer to a first word of Steward is found after a restart", async () => {
  const slack = await startFakeSlack();
  onTestFinished(() => slack.close());
  const remembered = new Map<string, string>();
  const first = await connected({ slack, remembered });
  await first.channel.send({ chat: "D1" }, piece("are you there?"), first.signal);
  await first.channel.close();
  slack.keep({ channel: "D1", text: "yes" });
  const { taken } = await connected({ slack, remembered, chats: [{ address: { chat: "D1" }, isDirect: true }] });
  await eventually(() => texts(taken), ["yes"]);
});

test("while the history cannot be read, new messages come in and the gap is read at the next occasion", async () => {
  const slack = await startFakeSlack();
  onTestFinished(() => slack.close());
  const before = slack.keep({ channel: "D1", text: "before" });
  slack.keep({ channel: "D1", text: "missed" });
  for (let count = 0; count < 4; count += 1) {
    slack.faults.push({ method: "conversations.history", kind: "ratelimited", retryAfter: 0 });
  }
  const remembered = new Map([["seen:D1", before]]);
  const chats = [{ address: { chat: "D1" }, isDirect: true }];
  const { taken, troubles, channel } = await connected({ slack, remembered, chats });
  await eventually(() => troubles.length, 1);
  slack.say({ channel: "D1", text: "new" });
  await eventually(() => texts(taken), ["new"]);
  expect(remembered.get("seen:D1")).toBe(before);
  await channel.reconnect();
  await eventually(() => texts(taken), ["new", "before", "missed"]);
});

test("what a proxy keeps from being read is read at the next occasion", async () => {
  const slack = await startFakeSlack();
  onTestFinished(() => slack.close());
  const before = slack.keep({ channel: "D1", text: "before" });
  slack.keep({ channel: "D1", text: "missed" });
  slack.faults.push({ method: "conversations.history", kind: "status", status: 403 });
  const remembered = new Map([["seen:D1", before]]);
  const chats = [{ address: { chat: "D1" }, isDirect: true }];
  const { taken } = await connected({ slack, remembered, chats });
  await eventually(() => texts(taken), ["before", "missed"]);
});

test("when the socket is cut off, a new one is made and what was said meanwhile is read", async () => {
  const chats = [{ address: { chat: "D1" }, isDirect: true }];
  const { slack, taken } = await connected({ chats });
  slack.say({ channel: "D1", text: "one" });
  await eventually(() => texts(taken), ["one"]);
  slack.sockets.drop();
  slack.keep({ channel: "D1", text: "two" });
  await eventually(() => texts(taken), ["one", "two"]);
  slack.say({ channel: "D1", text: "three" });
  await eventually(() => texts(taken), ["one", "two", "three"]);
});

test("what was not acknowledged on a socket that was cut off is acknowledged on the next and kept once", async () => {
  const kept = Promise.withResolvers<void>();
  const { slack, taken } = await connected({ onTake: () => kept.promise });
  slack.say({ channel: "D1", text: "in between" });
  await eventually(() => slack.sockets.sent.length, 1);
  slack.sockets.drop();
  await eventually(() => slack.sockets.sent.length, 2);
  kept.resolve();
  await eventually(() => slack.sockets.unacknowledged(), 0);
  expect(texts(taken)).toEqual(["in between"]);
});

test("when Slack asks to move, the new socket is there before the old one goes, and nothing is lost", async () => {
  const kept = Promise.withResolvers<void>();
  const { slack, taken, channel } = await connected({ onTake: () => kept.promise });
  slack.say({ channel: "D1", text: "on the old one" });
  await eventually(() => slack.sockets.sent.length, 1);
  slack.sockets.disconnect();
  await eventually(() => slack.sockets.openCount(), 2);
  expect(channel.life().state).toBe("connected");
  kept.resolve();
  await eventually(() => slack.sockets.openCount(), 1);
  slack.say({ channel: "D1", text: "on the new one" });
  await eventually(() => texts(taken), ["on the old one", "on the new one"]);
  expect(slack.sockets.connections()).toBe(2);
});

test("a socket over which nothing comes any more is replaced", async () => {
  const { slack, taken } = await connected({ pace: { silenceMs: 2_000, pingMs: 500 } });
  slack.sockets.mute();
  await eventually(() => slack.sockets.connections() > 1);
  slack.say({ channel: "D1", text: "heard" });
  await eventually(() => texts(taken), ["heard"]);
});

test("a socket that is accepted and never greeted is given up for another", async () => {
  const { slack, channel } = await slackScene({ pace: { helloMs: 500 } });
  slack.sockets.faults.isMute = true;
  channel.start();
  await eventually(() => slack.sockets.connections() > 1);
  expect(channel.life().state).toBe("connecting");
  slack.sockets.faults.isMute = false;
  await eventually(() => channel.life().state, "connected");
});

test("an answer that never comes does not keep Steward from connecting", async () => {
  const { slack, channel } = await slackScene({ pace: { requestMs: 500 } });
  slack.faults.push(
    { method: "apps.connections.open", kind: "silent" },
    { method: "auth.test", kind: "status", status: 502 },
  );
  channel.start();
  await eventually(() => channel.life().state, "connected");
});

test("with a wrong token Steward says what to do, and connects once it is right", async () => {
  const { slack, channel } = await slackScene();
  const right = slack.tokens.bot;
  slack.tokens.bot = "xoxb-another";
  channel.start();
  await eventually(() => channel.life().state, "refused");
  expect(channel.life().detail).toMatch(/xoxb-.* with: steward channels set-token SLACK_BOT_TOKEN$/);
  expect(channel.life().detail).not.toContain(right);
  slack.tokens.bot = right;
  await channel.reconnect();
  await eventually(
    () => channel.life(),
    expect.objectContaining({ state: "connected", detail: "connected as @steward in Testers" }),
  );
});

test("without the app's token the sentence names that one", async () => {
  const { channel, slack } = await slackScene();
  slack.tokens.app = "xapp-another";
  channel.start();
  await eventually(() => channel.life().state, "refused");
  expect(channel.life().detail).toContain("SLACK_APP_TOKEN");
});

test("a token that is revoked while Steward is connected is noticed when it sends", async () => {
  const { slack, channel, signal } = await connected();
  slack.tokens.bot = "xoxb-another";
  const failure = { name: "SendFailure", retry: "again", arrived: "no" };
  await expect(channel.send({ chat: "D1" }, piece("lost?"), signal)).rejects.toMatchObject(failure);
  await eventually(() => channel.life().state, "refused");
});

test("socket mode that was switched off is said in words", async () => {
  const { slack, channel } = await connected();
  slack.sockets.disconnect("link_disabled");
  await eventually(() => channel.life().state, "refused");
  expect(channel.life().detail).toContain("Socket Mode");
});

test("every sign of Slack is noted as a proof of life", async () => {
  const { channel } = await connected();
  const first = channel.life().lastProofMs ?? 0;
  await eventually(() => (channel.life().lastProofMs ?? 0) > first);
});

test("a message with buttons is sent into the thread, edited, and removed twice without a complaint", async () => {
  const { slack, channel, signal } = await connected();
  const to = { chat: "C1", thread: "1.1" };
  const rows = [
    [
      { label: "Yes", press: "a:1:yes", tone: "yes" as const },
      { label: "No", press: "a:1:no", tone: "no" as const },
    ],
  ];
  const { ref } = await channel.send(to, piece("*Shall I?*", { buttons: rows }), signal);
  expect(slack.messages("C1")[0]).toMatchObject({
    ...{ ts: ref, text: "*Shall I?*", thread_ts: "1.1" },
    blocks: [
      { type: "section", text: { type: "mrkdwn", text: "*Shall I?*" } },
      {
        elements: [
          { value: "a:1:yes", style: "primary" },
          { value: "a:1:no", style: "danger" },
        ],
      },
    ],
  });
  await channel.edit?.(to, ref, piece("Done."), signal);
  expect(slack.messages("C1")[0]).toMatchObject({ text: "Done.", blocks: [] });
  await channel.remove?.(to, ref, signal);
  await channel.remove?.(to, ref, signal);
  expect(slack.messages("C1")).toEqual([]);
});

test("an edit without words takes the buttons away and leaves the text", async () => {
  const { slack, channel, signal } = await connected();
  const rows = [[{ label: "Yes", press: "a", tone: "plain" as const }]];
  const { ref } = await channel.send({ chat: "D1" }, piece("a &lt; b", { buttons: rows }), signal);
  await channel.edit?.({ chat: "D1" }, ref, { key: "k", piece: undefined, details: {} }, signal);
  expect(slack.messages("D1")[0]).toMatchObject({ text: "a &lt; b", blocks: [] });
});

test("a press comes in with what the button was given, and only the person sees the answer", async () => {
  const { slack, taken } = await connected();
  slack.press({ channel: "C1", ts: "2.2", thread: "1.1", value: "a:1:yes", user: "UBEN" });
  await eventually(() => taken.length, 1);
  const [press] = taken;
  expect(press).toMatchObject({
    ...{ kind: "press", press: "a:1:yes", address: { chat: "C1", thread: "1.1" } },
    from: { id: "UBEN", name: "Ben" },
  });
  if (press?.kind === "press") await press.answer("Only the <owner> may.");
  await eventually(() => slack.calls("respond").length, 1);
  expect(slack.calls("respond")[0]?.args).toEqual({
    ...{ response_type: "ephemeral", replace_original: false, text: "Only the &lt;owner&gt; may." },
  });
  expect(slack.calls("respond")[0]?.token).toBe("");
});

test("a press waits for no message of its chat, however long its files take", async () => {
  const kept = Promise.withResolvers<void>();
  const { slack, taken } = await connected({
    onTake: ({ kind }) => (kind === "message" ? kept.promise : undefined),
  });
  slack.say({ channel: "D1", text: "a large film" });
  await eventually(() => slack.sockets.sent.length, 1);
  slack.press({ channel: "D1", ts: "2.2", value: "a:1:yes" });
  await eventually(() => texts(taken), ["pressed a:1:yes"]);
  kept.resolve();
  await eventually(() => texts(taken), ["pressed a:1:yes", "a large film"]);
});

test("a press is acknowledged although its answer has not arrived, and closing waits for the answer no longer than needed", async () => {
  const { slack, channel } = await connected({
    async onTake(update) {
      if (update.kind === "press") await update.answer("Approved.");
    },
  });
  slack.faults.push({ method: "respond", kind: "silent" });
  slack.press({ channel: "D1", ts: "2.2", value: "a:1:yes" });
  await eventually(() => slack.held(), 1);
  await eventually(() => slack.sockets.unacknowledged(), 0);
  await channel.close();
  expect(channel.life().state).toBe("closed");
});

test("an order after /steward comes in as if it had been written there", async () => {
  const { slack, taken } = await connected();
  slack.command({ channel: "D1", text: "stop" });
  slack.command({ channel: "C1", text: "  /model a &amp; b ", user: "UBEN" });
  await eventually(() => taken.length, 2);
  expect(taken.find(({ isDirect }) => isDirect)).toMatchObject({
    ...{ kind: "message", address: { chat: "D1" }, title: "Ada", text: "/stop", addressesUs: true, files: [] },
    from: { id: "UADA", name: "Ada" },
  });
  expect(taken.find(({ isDirect }) => !isDirect)).toMatchObject({
    ...{ address: { chat: "C1" }, title: "#general", text: "/model a & b", from: { id: "UBEN", name: "Ben" } },
  });
  await eventually(() => slack.sockets.unacknowledged(), 0);
});

test("/steward alone asks for help, and is acknowledged only after it was kept, and once however often it comes", async () => {
  const kept = Promise.withResolvers<void>();
  const { slack, taken } = await connected({ onTake: () => kept.promise });
  slack.command({ channel: "D1", text: "" });
  await eventually(() => slack.sockets.sent.length, 1);
  slack.sockets.redeliver();
  await eventually(() => slack.sockets.sent.length, 2);
  expect(slack.sockets.acknowledged).toEqual([]);
  kept.resolve();
  await eventually(() => slack.sockets.acknowledged.length, 2);
  expect(texts(taken)).toEqual(["/help"]);
});

test("an order that is given in a chat of two people is answered in Steward's own chat with who gave it", async () => {
  const { slack, taken } = await connected();
  slack.command({ channel: "D99", text: "status" });
  await eventually(() => taken[0]?.address, { chat: "D1" });
});

test("an answer to a press whose address is not Slack's goes by the Web API", async () => {
  const { slack, taken } = await connected();
  slack.sockets.interactive({
    ...{ type: "block_actions", user: { id: "UADA" }, channel: { id: "D1" }, message: { ts: "2.2" } },
    ...{ actions: [{ value: "a", action_id: "x", action_ts: "3.3" }], response_url: "https://slack.com.example.org/x" },
  });
  await eventually(() => taken.length, 1);
  const [press] = taken;
  if (press?.kind === "press") await press.answer("Done");
  await eventually(() => slack.calls("chat.postEphemeral").length, 1);
  expect(slack.calls("chat.postEphemeral")[0]?.args).toEqual({ channel: "D1", user: "UADA", text: "Done" });
});

test("a message of which only the answer was lost is found by its key and not sent again", async () => {
  const { slack, channel, signal } = await connected();
  const to = { chat: "C1", thread: slack.keep({ channel: "C1", text: "root" }) };
  slack.faults.push({ method: "chat.postMessage", kind: "drop", when: "after" });
  const doubt = { name: "SendFailure", retry: "again", arrived: "maybe" };
  await expect(channel.send(to, piece("hello"), signal)).rejects.toMatchObject(doubt);
  const ref = slack.messages("C1").at(-1)?.ts;
  expect(await channel.find?.(to, "key of hello", signal)).toEqual({ ref });
  expect(await channel.find?.(to, "another key", signal)).toBeUndefined();
  expect(slack.calls("chat.postMessage").length).toBe(1);
});

test.each([true, false])(
  "a message among thousands is found, whether Slack begins with the oldest (%s) or not",
  async (beginsWithOldest) => {
    const { slack, channel, signal } = await connected();
    slack.history.beginsWithOldest = beginsWithOldest;
    const hoursAgo = Math.floor(Date.now() / 1000) - 7_200;
    for (let count = 0; count < 4_100; count += 1) {
      slack.keep({ channel: "D1", text: "old", with: { ts: `${hoursAgo}.${String(count).padStart(6, "0")}` } });
    }
    const key = `7.0.${Date.now()}`;
    slack.faults.push({ method: "chat.postMessage", kind: "drop", when: "after" });
    await expect(channel.send({ chat: "D1" }, piece("x", { key }), signal)).rejects.toMatchObject({ arrived: "maybe" });
    expect(await channel.find?.({ chat: "D1" }, key, signal)).toEqual({ ref: slack.messages("D1").at(-1)?.ts });
    expect(slack.calls("conversations.history")).toHaveLength(1);
  },
);

test("of a message after which more was said than is read nobody knows whether it has arrived", async () => {
  const { slack, channel, signal } = await connected();
  for (let count = 0; count < 4_000; count += 1) slack.keep({ channel: "D1", text: "more" });
  expect(await channel.find?.({ chat: "D1" }, "a key", signal)).toBeUndefined();
  slack.keep({ channel: "D1", text: "too much" });
  expect(await channel.find?.({ chat: "D1" }, "a key", signal)).toBe("unknown");
});

test("a file of which only the answer was lost is found after a restart", async () => {
  const slack = await startFakeSlack();
  onTestFinished(() => slack.close());
  const remembered = new Map<string, string>();
  const first = await connected({ slack, remembered });
  const file = { name: "notes.txt", mediaType: "text/plain", data: Buffer.from("all of it") };
  slack.faults.push({ method: "files.completeUploadExternal", kind: "drop", when: "after" });
  const sending = first.channel.send({ chat: "D1" }, { key: "k1", piece: undefined, file, details: {} }, first.signal);
  await expect(sending).rejects.toMatchObject({ arrived: "maybe" });
  await first.channel.close();
  const second = await slackScene({ slack, remembered });
  expect(await second.channel.find?.({ chat: "D1" }, "k1", second.signal)).toMatchObject({ ref: /^file:F/ });
  expect(await second.channel.find?.({ chat: "D1" }, "k2", second.signal)).toBeUndefined();
});

test.each([
  { fault: { kind: "ratelimited", retryAfter: 7 }, failure: { retry: "again", arrived: "no", retryAfterMs: 7_000 } },
  { fault: { kind: "status", status: 503 }, failure: { retry: "again", arrived: "maybe" } },
  ...[403, 404].map((status) => ({
    fault: { kind: "status" as const, status },
    failure: { retry: "again", arrived: "no" },
  })),
  { fault: { kind: "status", status: 413 }, failure: { retry: "never", arrived: "no" } },
  { fault: { kind: "drop", when: "before" }, failure: { retry: "again", arrived: "maybe" } },
  { fault: { kind: "silent" }, failure: { retry: "again", arrived: "maybe" } },
  { fault: { kind: "error", error: "fatal_error" }, failure: { retry: "again", arrived: "maybe" } },
  { fault: { kind: "error", error: "not_in_channel" }, failure: { retry: "never", arrived: "no" } },
  { fault: { kind: "error", error: "is_archived" }, failure: { retry: "never", arrived: "no" } },
  ...["account_inactive", "missing_scope", "no_permission", "not_authed"].map((error) => ({
    fault: { kind: "error" as const, error },
    failure: { retry: "again", arrived: "no", retryAfterMs: 300_000 },
  })),
] as const)("what becomes of a message after $fault is told as it is", async ({ fault, failure }) => {
  const { slack, channel, signal } = await connected({ pace: { requestMs: 2_000 } });
  slack.faults.push({ method: "chat.postMessage", ...fault });
  await expect(channel.send({ chat: "D1" }, piece("hello"), signal)).rejects.toMatchObject(failure);
  expect(slack.calls("chat.postMessage").length).toBe(1);
});

test("a scope that the app lacks is named until the call is answered", async () => {
  const { slack, channel, signal, troubles } = await connected();
  const missing = { method: "chat.postMessage", kind: "error", error: "missing_scope", needed: "chat:write" } as const;
  slack.faults.push(missing, missing);
  for (const text of ["one", "two"]) {
    await expect(channel.send({ chat: "D1" }, piece(text), signal)).rejects.toMatchObject({ retry: "again" });
  }
  expect(channel.life()).toMatchObject({ state: "connected", detail: expect.stringContaining("the scope chat:write") });
  expect(troubles).toEqual([expect.stringContaining("OAuth & Permissions")]);
  await channel.send({ chat: "D1" }, piece("three"), signal);
  expect(channel.life().detail).toBe("connected as @steward in Testers");
});

test("where the app may not read what was missed, what is said now comes in at once", async () => {
  const slack = await startFakeSlack();
  onTestFinished(() => slack.close());
  const before = slack.keep({ channel: "D1", text: "before" });
  slack.faults.push({ method: "conversations.history", kind: "error", error: "missing_scope", needed: "im:history" });
  const remembered = new Map([["seen:D1", before]]);
  const { taken } = await connected({ slack, remembered, chats: [{ address: { chat: "D1" }, isDirect: true }] });
  slack.say({ channel: "D1", text: "now" });
  await eventually(() => texts(taken), ["now"]);
  // once it may, nothing of it is lost
  expect(remembered.get("seen:D1")).toBe(before);
});

test("a message to nobody who listens surely has not arrived", async () => {
  const { slack, channel, signal } = await slackScene();
  await slack.close();
  await expect(channel.send({ chat: "D1" }, piece("hello"), signal)).rejects.toMatchObject({
    retry: "again",
    arrived: "no",
  });
});

test("whoever stops a message in the middle is told that it may have arrived", async () => {
  const { slack, channel } = await connected();
  slack.faults.push({ method: "chat.postMessage", kind: "silent" });
  const stopping = new AbortController();
  const sending = channel.send({ chat: "D1" }, piece("hello"), stopping.signal);
  await eventually(() => slack.calls("chat.postMessage").length, 1);
  stopping.abort();
  await expect(sending).rejects.toMatchObject({ retry: "again", arrived: "maybe" });
});

test("when Slack refuses the form, the words go out without it", async () => {
  const { slack, channel, signal } = await connected();
  slack.faults.push({ method: "chat.postMessage", kind: "error", error: "invalid_blocks" });
  const rows = [[{ label: "Yes", press: "a", tone: "yes" as const }]];
  const message = piece("x", { piece: { markup: "*bold* &lt;x&gt;", plain: "bold <x>" }, buttons: rows });
  await channel.send({ chat: "D1" }, message, signal);
  expect(slack.messages("D1")[0]).toMatchObject({
    text: "bold &lt;x&gt;",
    blocks: [{ text: { type: "plain_text", text: "bold <x>" } }, { elements: [{ value: "a" }] }],
  });
});

test("a long question with buttons is shown whole", async () => {
  const { slack, channel, signal } = await connected();
  const lines = Array.from({ length: 200 }, (_, line) => `line ${line} of a long command`);
  const long = `\`\`\`\n${lines.join("\n")}\n\`\`\``;
  const rows = [[{ label: "Y".repeat(200), press: "a", tone: "yes" as const }]];
  await channel.send({ chat: "D1" }, piece(long, { buttons: rows }), signal);
  const blocks = slack.messages("D1")[0]?.blocks as { text?: { text: string } }[];
  const parts = blocks.flatMap(({ text }) => text?.text ?? []);
  expect(parts.map((part) => part.split("```").length)).toEqual(parts.map(() => 3));
  expect(parts.join("\n").replaceAll("\n```\n```\n", "\n")).toBe(long);
});

test("a question of one endless line is shown whole too", async () => {
  const { slack, channel, signal } = await connected();
  const rows = [[{ label: "Yes", press: "a", tone: "yes" as const }]];
  await channel.send({ chat: "D1" }, piece(`\`\`\`\n${"x".repeat(7_000)}\n\`\`\``, { buttons: rows }), signal);
  const blocks = slack.messages("D1")[0]?.blocks as { text?: { text: string } }[];
  expect(blocks.map(({ text }) => text?.text.replace(/[^x]/g, "") ?? "").join("").length).toBe(7_000);
});

test("a file is sent with its words and can be taken back", async () => {
  const { slack, channel, signal } = await connected();
  const file = { name: "ü notes.txt", mediaType: "text/plain", data: Buffer.from("all of it") };
  const { ref } = await channel.send({ chat: "C1", thread: "1.1" }, piece("Here.", { file }), signal);
  expect(slack.messages("C1")).toMatchObject([{ text: "Here.", thread_ts: "1.1", files: [{ name: "ü notes.txt" }] }]);
  expect([...slack.files.values()].map(({ data }) => data.toString())).toEqual(["all of it"]);
  expect(slack.calls("upload")[0]?.token).toBe("");
  await channel.remove?.({ chat: "C1" }, ref, signal);
  expect(slack.files.size).toBe(0);
});

test("a file that comes in is fetched with the token", async () => {
  const { slack, taken, signal } = await connected();
  const file = slack.addFile("report.pdf", "application/pdf", "the report");
  slack.say({
    channel: "D1",
    text: "look",
    files: [file, { id: file.id, name: "shared" }, { id: "F0", mode: "tombstone" }, 7],
  });
  await eventually(() => taken.length, 1);
  const files = taken[0]?.kind === "message" ? taken[0].files : [];
  expect(files).toMatchObject([{ name: "report.pdf", mediaType: "application/pdf", bytes: 10 }, { name: "shared" }]);
  for (const each of files) expect(Buffer.from(await each.read(signal)).toString()).toBe("the report");
});

test("a file that is larger than Slack says is not read to its end", async () => {
  const { slack, taken, signal } = await connected();
  const film = slack.addFile("film.mp4", "video/mp4", "x".repeat(26 * 1024 * 1024));
  slack.say({ channel: "D1", text: "look", files: [{ ...film, size: 5 }] });
  await eventually(() => taken.length, 1);
  const [file] = taken[0]?.kind === "message" ? taken[0].files : [];
  await expect(file?.read(signal)).rejects.toThrow("larger than 25 MB");
});

test("the token goes to no other host, whatever address a file gives", async () => {
  const foreign = await startFakeSlack();
  onTestFinished(() => foreign.close());
  const { slack, taken, signal } = await connected();
  const addresses = [
    foreign.origin,
    "https://slack.com.example.org",
    "http://files.slack.com",
    "https://files.slack.com:8443",
  ];
  const files = addresses.map((origin, index) => ({ id: `F${index}`, url_private_download: `${origin}/files/x` }));
  slack.say({ channel: "D1", text: "look", files });
  await eventually(() => taken.length, 1);
  for (const file of taken[0]?.kind === "message" ? taken[0].files : []) {
    await expect(file.read(signal)).rejects.toThrow("does not lie with Slack");
  }
  expect(foreign.requests).toEqual([]);
});

test("a page to sign in is not taken for the file", async () => {
  const { slack, taken, signal } = await connected();
  const file = { id: "F404", mimetype: "image/png", url_private_download: `${slack.origin}/files/F404/download` };
  slack.say({ channel: "D1", files: [file] });
  await eventually(() => taken.length, 1);
  const [incoming] = taken[0]?.kind === "message" ? taken[0].files : [];
  await expect(incoming?.read(signal)).rejects.toThrow("files:read");
});

test("a reaction is given by its name, twice without a complaint", async () => {
  const { slack, channel, signal } = await connected();
  const ts = slack.keep({ channel: "D1", text: "hello" });
  for (const emoji of ["👀", "👀", "✅", "🦑"]) await channel.react?.({ chat: "D1" }, ts, emoji, signal);
  expect(slack.reactions).toEqual([`${ts} eyes`, `${ts} white_check_mark`]);
});

test("the owner's chat is opened by their id", async () => {
  const { channel, signal } = await connected();
  expect(await channel.directAddress?.("UBEN", signal)).toEqual({ chat: "D2" });
});

test("people and channels without a name are called by their id", async () => {
  const { slack, taken } = await connected();
  slack.faults.push({ method: "users.info", kind: "status", status: 500 });
  slack.say({ channel: "D1", text: "hello" });
  await eventually(() => taken[0]?.from, { id: "UADA", name: "UADA" });
});

test("closing ends everything although a message is being kept and an answer is awaited", async () => {
  const { slack, channel, signal } = await connected({ onTake: () => new Promise(() => undefined) });
  slack.say({ channel: "D1", text: "stuck" });
  await eventually(() => slack.sockets.sent.length, 1);
  slack.faults.push({ method: "chat.postMessage", kind: "silent" });
  const sending = channel.send({ chat: "D1" }, piece("hello"), signal);
  const told = expect(sending).rejects.toMatchObject({ arrived: "maybe" });
  await eventually(() => slack.calls("chat.postMessage").length, 1);
  await channel.close();
  await told;
  expect(channel.life().state).toBe("closed");
  await eventually(() => slack.sockets.openCount(), 0);
  expect(slack.sockets.acknowledged).toEqual([]);
});

test("what Slack repeats in one breath with its hello does not overtake what was missed before it", async () => {
  const slack = await startFakeSlack();
  onTestFinished(() => slack.close());
  const before = slack.keep({ channel: "D1", text: "long ago", user: "UBOT" });
  const known = { remembered: new Map([["seen:D1", before]]), chats: [{ address: { chat: "D1" }, isDirect: true }] };
  const first = await connected({ slack, ...known, onTake: () => Promise.reject(new Error("the disk is full")) });
  slack.keep({ channel: "D1", text: "missed" });
  slack.say({ channel: "D1", text: "repeated" });
  await eventually(() => first.troubles.length > 0);
  await first.channel.close();
  await eventually(() => slack.sockets.openCount(), 0);
  const { taken } = await connected({ slack, ...known });
  await eventually(() => texts(taken).length, 2);
  expect(texts(taken)).toEqual(["missed", "repeated"]);
});
