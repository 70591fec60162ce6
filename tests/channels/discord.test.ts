import { expect, test } from "vitest";
import type { IncomingUpdate } from "../../src/contract/channel/incoming-update.ts";
import { bo, eve, type FakeDiscord, newcomer, startFakeDiscord } from "../fakes/channels/discord-server.ts";
import { connectedDiscord, openDiscordScene } from "../scenes/channels/discord-scene.ts";
import { eventually } from "../scenes/eventually.ts";

const texts = (taken: readonly IncomingUpdate[]) =>
  taken.map((each) => (each.kind === "message" ? each.text : each.press));
const noted = async (remembered: Map<string, string>, channel: string, id: string) =>
  await eventually(() => remembered.get(`seen:${channel}`), id);
/** How it signed in: 2 anew, 6 to an old session. The first heartbeat may come at any time. */
const signIns = ({ gateway }: FakeDiscord) => gateway.received.map(({ op }) => op).filter((op) => op !== 1);

test("a direct message is handed on and then remembered as seen", async () => {
  const { discord, taken, remembered } = await connectedDiscord();
  const { id } = discord.say(discord.direct, "good morning");
  await noted(remembered, discord.direct, id);
  expect(taken).toMatchObject([
    {
      kind: "message",
      address: { chat: discord.direct },
      isDirect: true,
      title: "Bo",
      from: { id: bo.id, name: "Bo" },
      key: id,
      ref: id,
      text: "good morning",
    },
  ]);
});

test("in a server a mention is taken off the front, and says that Steward is meant", async () => {
  const { discord, taken } = await connectedDiscord();
  discord.say(discord.general, `<@${discord.me.id}> <@${eve.id}> asks in <#${discord.general}> for cake`);
  discord.say(discord.general, `<@&${discord.ownRole}> and you?`);
  discord.say(discord.general, "among us");
  await eventually(() => texts(taken), ["@eve asks in #general for cake", "and you?", "among us"]);
  expect(taken[0]).toMatchObject({ title: "Home #general", isDirect: false, addressesUs: true });
  expect(taken[1]).toMatchObject({ addressesUs: true });
  expect(taken[2]).not.toHaveProperty("addressesUs");
});

test("a thread is a place of its own within its channel", async () => {
  const { discord, taken } = await connectedDiscord();
  discord.say(discord.thread, "more cake");
  await eventually(() => texts(taken), ["more cake"]);
  expect(taken[0]?.address).toEqual({ chat: discord.general, thread: discord.thread });
  expect(taken[0]?.title).toBe("Home #general › cake");
});

test("words of others that a message answers or forwards come apart from it", async () => {
  const { discord, taken } = await connectedDiscord();
  const theirs = discord.say(discord.general, "the key is under the mat", { author: eve }, "quietly");
  const ours = discord.say(discord.general, "what shall I do?", { author: discord.me }, "quietly");
  discord.say(discord.general, "is that so?", { type: 19, referenced_message: theirs });
  discord.say(discord.general, "bake", { type: 19, referenced_message: ours });
  discord.say(discord.general, "", {
    message_snapshots: [{ message: { content: "a chain letter", attachments: [] } }],
  });
  await eventually(() => taken.length, 3);
  expect(taken[0]).toMatchObject({
    data: "It answers this message of eve:\nthe key is under the mat",
    labels: ["forwarded:discord"],
  });
  expect(taken[1]).toMatchObject({ text: "bake", addressesUs: true });
  expect(taken[1]).not.toHaveProperty("data");
  expect(taken[2]).toMatchObject({
    text: "",
    data: "Forwarded from somebody elsewhere:\na chain letter",
    labels: ["forwarded:discord"],
  });
});

test("what bots, webhooks and Discord itself say is passed over, and so is what has no known shape", async () => {
  const { discord, taken, troubles } = await connectedDiscord();
  discord.say(discord.general, "beep", { author: { ...eve, bot: true } });
  discord.say(discord.general, "deployed", { webhook_id: "400000000000000000" });
  discord.say(discord.general, "has joined", { type: 7 });
  discord.say(discord.general, "");
  discord.gateway.dispatch("MESSAGE_CREATE", { id: 7, author: null });
  discord.gateway.dispatch("MESSAGE_CREATE", null);
  discord.gateway.dispatch("INTERACTION_CREATE", "?");
  discord.gateway.dispatch("NEWS_FROM_THE_FUTURE", []);
  discord.say(discord.general, "a person");
  await eventually(() => texts(taken), ["a person"]);
  expect(troubles).toEqual([]);
});

test("a message that could not be kept comes again, and nothing of its channel overtakes it", async () => {
  let refusals = 3;
  const scene = await connectedDiscord({
    onTake(update) {
      if (texts([update])[0] === "one" && refusals-- > 0) throw new Error("the disk is full");
    },
  });
  const { discord, taken, remembered } = scene;
  discord.say(discord.direct, "one");
  const { id } = discord.say(discord.direct, "two");
  discord.say(discord.general, "elsewhere");
  await noted(remembered, discord.direct, id);
  await eventually(() => taken.length, 3);
  expect(texts(taken).filter((text) => text !== "elsewhere")).toEqual(["one", "two"]);
  expect(scene.troubles).toEqual([expect.stringContaining("the disk is full")]);
});

test("what has not been kept when the channel is closed is not remembered as seen", async () => {
  const scene = await connectedDiscord({ onTake: () => Promise.reject(new Error("the disk is full")) });
  scene.discord.say(scene.discord.direct, "one");
  await eventually(() => scene.troubles.length, 1);
  await scene.channel.close();
  expect([...scene.remembered.keys()]).toEqual([]);
  expect(scene.channel.life().state).toBe("closed");
});

test("after a restart everything that was said meanwhile comes in its order, before what is said then", async () => {
  const first = await connectedDiscord();
  const { discord, remembered } = first;
  const chats = [
    { address: { chat: discord.direct }, isDirect: true },
    { address: { chat: discord.general, thread: discord.thread }, isDirect: false },
  ];
  const { id } = discord.say(discord.direct, "seen");
  await noted(remembered, discord.direct, id);
  await first.channel.close();
  for (let number = 1; number <= 730; number++) discord.say(discord.direct, `missed ${number}`, {}, "quietly");
  discord.say(discord.direct, "beep", { author: { ...eve, bot: true } }, "quietly");
  // whoever reads is held up, so that news come in meanwhile
  discord.faults.push({ on: `GET /channels/${discord.direct}/messages`, times: 2, what: { status: 503 } });

  const second = await connectedDiscord({ discord, remembered, chats });
  discord.say(discord.direct, "now");
  await eventually(() => second.taken.length, 731);
  const missed = Array.from({ length: 730 }, (_, index) => `missed ${index + 1}`);
  expect(texts(second.taken)).toEqual([...missed, "now"]);
});

test("a direct chat that fell silent long ago is read afterwards too, whatever was said elsewhere since", async () => {
  const first = await connectedDiscord();
  const { discord, remembered } = first;
  const { id } = discord.say(discord.direct, "seen");
  await noted(remembered, discord.direct, id);
  await first.channel.close();
  discord.say(discord.direct, "missed", {}, "quietly");
  const elsewhere = Array.from({ length: 80 }, (_, count) => ({
    ...{ address: { chat: discord.general, thread: `${500_000_000_000_000_000n + BigInt(count)}` }, isDirect: false },
  }));
  const chats = [...elsewhere, { address: { chat: discord.direct }, isDirect: true }];
  const second = await connectedDiscord({ discord, remembered, chats });
  await eventually(() => texts(second.taken), ["missed"]);
});

test("a thread that was begun while Steward was away is read, and nothing that was said before it knew the channel", async () => {
  const first = await connectedDiscord();
  const { discord, remembered } = first;
  const id = String((BigInt(Date.now() - 1_420_070_400_000 - 600_000) << 22n) + 1n);
  discord.say(discord.thread, "long ago", { id }, "quietly");
  const seen = discord.say(discord.general, "seen");
  await noted(remembered, discord.general, seen.id);
  await first.channel.close();
  const begun = discord.beginThread(discord.general, "plans");
  discord.say(begun, `<@${discord.me.id}> are you in?`, {}, "quietly");
  const chats = [{ address: { chat: discord.general }, isDirect: false }];
  const second = await connectedDiscord({ discord, remembered, chats });
  discord.say(begun, "and now?");
  await eventually(() => texts(second.taken), ["are you in?", "and now?"]);
  expect(second.taken[0]).toMatchObject({ address: { chat: discord.general, thread: begun }, addressesUs: true });
  await second.channel.close();
  const third = await connectedDiscord({ discord, remembered, chats });
  discord.say(discord.direct, "hello");
  await eventually(() => texts(third.taken), ["hello"]);
});

test("what a process did not come to read in a thread that was begun meanwhile is read by the next one", async () => {
  const first = await connectedDiscord();
  const { discord, remembered } = first;
  const seen = discord.say(discord.general, "seen");
  await noted(remembered, discord.general, seen.id);
  await first.channel.close();
  const begun = discord.beginThread(discord.general, "plans");
  discord.say(begun, "are you in?", {}, "quietly");
  const chats = [{ address: { chat: discord.general }, isDirect: false }];
  discord.faults.push({ on: `GET /channels/${begun}/messages`, times: 1_000, what: { status: 503 } });
  const second = await connectedDiscord({ discord, remembered, chats });
  await eventually(() => second.troubles.length > 0);
  const far = String(BigInt(seen.id) + (600_000n << 22n));
  discord.say(discord.general, "much later", { id: far });
  await noted(remembered, discord.general, far);
  await second.channel.close();
  discord.faults.length = 0;
  const third = await connectedDiscord({ discord, remembered, chats });
  await eventually(() => texts(third.taken), ["are you in?"]);
});

test("threads that cannot be listed keep nobody waiting for long, and it is said", async () => {
  const discord = await startFakeDiscord();
  discord.faults.push({ on: `GET /guilds/${discord.home}/threads`, times: 1_000, what: { status: 503 } });
  const chats = [{ address: { chat: discord.general }, isDirect: false }];
  const { taken, troubles } = await connectedDiscord({ discord, chats });
  discord.say(discord.direct, "hello");
  await eventually(() => texts(taken), ["hello"]);
  expect(troubles.join()).toContain("noticed only with the next message in it");
});

test("whoever may talk and has never done so is heard too, however long Steward was away", async () => {
  const settings = { allowedUserIds: [newcomer.id, eve.id] };
  const first = await connectedDiscord({ settings });
  const { discord, remembered } = first;
  await noted(remembered, discord.newcomersDirect, discord.newcomersDirect);
  await first.channel.close();
  discord.say(discord.newcomersDirect, "hello?", { author: newcomer }, "quietly");
  const second = await connectedDiscord({ settings, discord, remembered });
  await eventually(() => texts(second.taken), ["hello?"]);
  expect(second.troubles).toEqual([]);
});

test("what somebody wrote to the bot before it was Steward's is not read", async () => {
  const discord = await startFakeDiscord();
  const { id } = discord.say(discord.newcomersDirect, "long ago", { author: newcomer }, "quietly");
  const { taken, remembered } = await connectedDiscord({ discord, settings: { allowedUserIds: [newcomer.id] } });
  await noted(remembered, discord.newcomersDirect, id);
  discord.say(discord.newcomersDirect, "today", { author: newcomer });
  await eventually(() => texts(taken), ["today"]);
});

test("what is said before it is known where something was missed waits for it", async () => {
  const first = await connectedDiscord();
  const { discord, remembered } = first;
  const { id } = discord.say(discord.direct, "seen");
  await noted(remembered, discord.direct, id);
  await first.channel.close();
  discord.say(discord.direct, "missed", {}, "quietly");
  let asked = 0;
  const pressed = Promise.withResolvers<void>();
  const second = await connectedDiscord({
    ...{ discord, remembered, chats: [{ address: { chat: discord.direct }, isDirect: true }] },
    onTake: ({ kind }) => (kind === "press" ? pressed.resolve() : undefined),
    async beforeChats() {
      asked++;
      if (asked === 1) throw new Error("the store is busy");
      discord.say(discord.direct, "now");
      // a press waits for nothing: when it is there, so is what was told before it
      discord.press(discord.direct, "approve:1");
      await pressed.promise;
    },
  });
  await eventually(() => texts(second.taken), ["approve:1", "missed", "now"]);
  expect(second.troubles).toEqual([expect.stringContaining("the store is busy")]);
});

test("a channel from which the bot was put out does not keep the others waiting", async () => {
  const remembered = new Map([["seen:300000000000000009", "1"]]);
  const chats = [{ address: { chat: "300000000000000009" }, isDirect: false }];
  const { discord, taken, troubles } = await connectedDiscord({ remembered, chats });
  discord.say(discord.direct, "hello");
  await eventually(() => texts(taken), ["hello"]);
  expect(troubles).toEqual([]);
});

test("a person's answer to a first word of Steward is found after a restart", async () => {
  const first = await connectedDiscord();
  const { discord, remembered, signal } = first;
  const address = await first.channel.directAddress?.(bo.id, signal);
  expect(address).toEqual({ chat: discord.direct });
  const [piece] = first.channel.render("are you there?");
  const { ref } = await first.channel.send({ chat: discord.direct }, { key: "k1", piece, details: {} }, signal);
  await noted(remembered, discord.direct, ref);
  await first.channel.close();
  discord.say(discord.direct, "yes", {}, "quietly");
  const chats = [{ address: { chat: discord.direct }, isDirect: true }];
  const second = await connectedDiscord({ discord, remembered, chats });
  await eventually(() => texts(second.taken), ["yes"]);
});

test.each([
  ["without a word", undefined],
  ["with a fault of Discord's", 4000],
])("a connection that is dropped %s is resumed, and Discord tells what was said meanwhile", async (_, code) => {
  const { discord, taken, channel } = await connectedDiscord();
  discord.say(discord.direct, "one");
  await eventually(() => texts(taken), ["one"]);
  discord.gateway.dropSockets(code);
  discord.say(discord.direct, "two");
  await eventually(() => texts(taken), ["one", "two"]);
  expect(signIns(discord)).toEqual([2, 6]);
  await eventually(() => channel.life().state, "connected");
});

test("when Discord asks for a new connection the session goes on in it", async () => {
  const { discord, taken } = await connectedDiscord();
  discord.gateway.requestReconnect();
  await eventually(() => signIns(discord), [2, 6]);
  discord.say(discord.direct, "still there?");
  await eventually(() => texts(taken), ["still there?"]);
  expect(discord.gateway.opened()).toBe(2);
});

test.each(["while connected", "after a drop"])(
  "a session that is gone (%s) is begun anew, and what was missed is read",
  async (when) => {
    const chats: { address: { chat: string }; isDirect: boolean }[] = [];
    const scene = await connectedDiscord({ chats });
    const { discord, taken, remembered } = scene;
    chats.push({ address: { chat: discord.direct }, isDirect: true });
    const { id } = discord.say(discord.direct, "one");
    await noted(remembered, discord.direct, id);
    discord.say(discord.direct, "two", {}, "quietly");
    if (when === "while connected") {
      discord.gateway.invalidateSession();
    } else {
      discord.gateway.faults.refuseResume = true;
      discord.gateway.dropSockets();
    }
    await eventually(() => texts(taken), ["one", "two"]);
    expect(signIns(discord)).toEqual(when === "while connected" ? [2, 2] : [2, 6, 2]);
  },
);

test("what is told twice is handed on once, and what comes out of order is not lost", async () => {
  const { discord, taken } = await connectedDiscord();
  const [one, two] = [
    discord.say(discord.direct, "one", {}, "quietly"),
    discord.say(discord.direct, "two", {}, "quietly"),
  ];
  for (const message of [two, one, two, one]) discord.gateway.dispatch("MESSAGE_CREATE", message);
  discord.say(discord.direct, "three");
  await eventually(() => texts(taken), ["two", "one", "three"]);
});

test("a connection that is taken and never greeted is given up for another one", async () => {
  const scene = await openDiscordScene({ timings: { connectMs: 1_000 } });
  const { discord, channel } = scene;
  discord.gateway.faults.sayNothing = true;
  channel.start();
  await eventually(() => discord.gateway.opened() >= 2);
  expect(channel.life()).toMatchObject({ state: "connecting", lastProofMs: undefined });
  discord.gateway.faults.sayNothing = false;
  await eventually(() => channel.life().state, "connected");
});

test("a gateway whose address is never told is asked for again", async () => {
  const scene = await openDiscordScene({ timings: { requestMs: 300 } });
  scene.discord.faults.push({ on: "GET /gateway/bot", times: 2, what: "silence" });
  scene.channel.start();
  await eventually(() => scene.channel.life().state, "connected");
});

test("a bot that has signed in too often waits until Discord lets it", async () => {
  const scene = await openDiscordScene();
  const { discord, channel } = scene;
  const body = { url: "ws://127.0.0.1:9", session_start_limit: { remaining: 3, reset_after: 100 } };
  discord.faults.push({ on: "GET /gateway/bot", what: { status: 200, body } });
  channel.start();
  await eventually(() => channel.life().state, "connected");
  expect(discord.gateway.opened()).toBe(1);
});

test("a connection whose heartbeats are not answered is replaced, and life tells the last that were", async () => {
  const { discord, channel } = await connectedDiscord({ heartbeatMs: 150 });
  const beforeMs = channel.life().lastProofMs ?? 0;
  await eventually(() => (channel.life().lastProofMs ?? 0) > beforeMs);
  discord.gateway.faults.ignoreHeartbeats = true;
  await eventually(() => discord.gateway.opened() >= 2);
  discord.gateway.faults.ignoreHeartbeats = false;
  await eventually(() => discord.gateway.received.some(({ op }) => op === 6));
  await eventually(() => channel.life().state, "connected");
});

test("the watchdog can have a new connection", async () => {
  const { discord, channel, taken } = await connectedDiscord();
  await channel.reconnect();
  await eventually(() => discord.gateway.opened(), 2);
  await eventually(() => channel.life().state, "connected");
  discord.say(discord.direct, "hello");
  await eventually(() => texts(taken), ["hello"]);
});

test("a refused token is told with what to do about it, and is in no message", async () => {
  const { discord, channel, troubles } = await openDiscordScene({ token: "wrong-token-1234" });
  channel.start();
  await eventually(() => channel.life().state, "refused");
  expect(channel.life().detail).toContain("DISCORD_BOT_TOKEN");
  expect(JSON.stringify([troubles, channel.life()])).not.toContain("wrong-token-1234");
  const asked = discord.requests.length;
  await channel.reconnect();
  await eventually(() => discord.requests.length > asked);
});

test("a bot that may not read messages is told where that is switched on", async () => {
  const { discord, channel } = await openDiscordScene();
  discord.gateway.faults.closeOnIdentify = 4014;
  channel.start();
  await eventually(() => channel.life().state, "refused");
  expect(channel.life().detail).toContain("Message Content Intent");
  discord.gateway.faults.closeOnIdentify = undefined;
  await channel.reconnect();
  await eventually(() => channel.life().state, "connected");
});

test("closing while nothing answers is over at once", async () => {
  const { discord, channel } = await openDiscordScene();
  discord.gateway.faults.sayNothing = true;
  channel.start();
  await eventually(() => discord.gateway.opened(), 1);
  await channel.close();
  expect(channel.life().state).toBe("closed");
});

test("a file that was written in is fetched from Discord without the token, and from nowhere else", async () => {
  const { discord, taken, signal } = await connectedDiscord();
  const near = discord.upload("list.txt", "text/plain; charset=utf-8", "milk");
  const far = { ...near, url: "http://127.0.0.2:9/list.txt" };
  discord.say(discord.direct, "", { attachments: [near, far], flags: 1 << 13 });
  await eventually(() => taken.length, 1);
  const files = taken[0]?.kind === "message" ? taken[0].files : [];
  expect(files[0]).toMatchObject({ name: "list.txt", mediaType: "text/plain", bytes: 4, isVoice: true });
  expect(Buffer.from((await files[0]?.read(signal)) ?? []).toString()).toBe("milk");
  await expect(files[1]?.read(signal)).rejects.toThrow("not fetched");
  expect(discord.requests.at(-1)?.authorization).toBeUndefined();
});

test("a file whose size nobody has told is not read to its end if it is too large", async () => {
  const { discord, taken, signal } = await connectedDiscord();
  const film = discord.upload("film.mp4", "video/mp4", "x".repeat(26 * 1024 * 1024));
  const { size: _untold, ...untold } = film;
  discord.say(discord.direct, "", { attachments: [untold as typeof film] });
  await eventually(() => taken.length, 1);
  const [file] = taken[0]?.kind === "message" ? taken[0].files : [];
  await expect(file?.read(signal)).rejects.toThrow("larger than 25 MB");
});

test("a press on a button comes in, and is answered to the one who has pressed", async () => {
  const { discord, taken } = await connectedDiscord();
  const press = discord.press(discord.general, "approve:1");
  await eventually(() => taken.length, 1);
  const [update] = taken;
  expect(update).toMatchObject({
    kind: "press",
    press: "approve:1",
    from: { id: bo.id, name: "Bobby" },
    title: "Home #general",
  });
  if (update?.kind === "press") await update.answer("Approved.");
  expect(discord.requests.at(-1)).toMatchObject({
    path: `/interactions/${press.id}/${press.token}/callback`,
    body: { type: 4, data: { content: "Approved.", flags: 64 } },
  });
});

test("a press waits for no message of its chat, however long its files take", async () => {
  const kept = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const { discord, taken } = await connectedDiscord({
    onTake({ kind }) {
      if (kind === "press") return undefined;
      reached.resolve();
      return kept.promise;
    },
  });
  discord.say(discord.direct, "a large film");
  await reached.promise;
  discord.press(discord.direct, "approve:1");
  await eventually(() => texts(taken), ["approve:1"]);
  kept.resolve();
  await eventually(() => texts(taken), ["approve:1", "a large film"]);
});

test("a press that could not be kept comes again", async () => {
  let refusals = 2;
  const { discord, taken } = await connectedDiscord({
    onTake: () => (refusals-- > 0 ? Promise.reject(new Error("the disk is full")) : undefined),
  });
  discord.press(discord.direct, "deny:1");
  await eventually(() => texts(taken), ["deny:1"]);
});
