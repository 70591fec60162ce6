import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { ntfyChannel } from "../../src/channels/ntfy/ntfy-channel.ts";
import type { ChannelBase } from "../../src/contract/channel/channel.ts";
import type { IncomingUpdate } from "../../src/contract/channel/incoming-update.ts";
import { type OutgoingMessage, SendFailure } from "../../src/contract/channel/outgoing-message.ts";
import { Settings } from "../../src/contract/settings.ts";
import { type NtfyMessage, startNtfyServer } from "../fakes/channels/ntfy-server.ts";
import { type ChannelSceneOptions, openChannelScene } from "../scenes/channels/channel-scene.ts";
import { eventually } from "../scenes/eventually.ts";

type Server = Awaited<ReturnType<typeof startNtfyServer>>;
type Options = Omit<ChannelSceneOptions, "settings"> & {
  topic?: string;
  /** How long the channel sleeps, given how long it wants to. */
  sleepMs?(ms: number): number;
  isStarted?: boolean;
};

const topic = "ann-phone";
const question: OutgoingMessage = {
  key: "question-1",
  piece: { markup: "May I run **make**?", plain: "May I run make?" },
  buttons: [
    [
      { label: "Approve", press: "approve a1", tone: "yes" },
      { label: "Deny", press: "deny a1", tone: "no" },
    ],
  ],
  details: {},
  isUrgent: true,
};
const words = (text: string, key = text): OutgoingMessage => ({
  key,
  piece: { markup: text, plain: text },
  details: {},
});

/** Steward beside a server: started, and heard by it unless the test wants it otherwise. */
async function stewardAt(server: Server, { sleepMs = (ms) => ms, isStarted = true, ...options }: Options = {}) {
  const hastened = {
    ...ntfyChannel,
    open: (base: ChannelBase) => ntfyChannel.open({ ...base, sleep: (ms, signal) => base.sleep(sleepMs(ms), signal) }),
  };
  const settings = { url: server.url, topic: options.topic ?? topic };
  const scene = await openChannelScene(hastened, { ...options, settings });
  const send = (message: OutgoingMessage) => scene.channel.send({ chat: settings.topic }, message, scene.signal);
  const failure = async (message: OutgoingMessage) => {
    const failed = await send(message).catch((cause: unknown) => cause);
    return failed instanceof SendFailure ? failed : expect.unreachable("it was sent");
  };
  const presses = () => scene.taken.map((update) => (update.kind === "press" ? update.press : update.kind));
  if (isStarted) {
    scene.channel.start();
    await eventually(() => scene.channel.life().state, "connected");
  }
  return { ...scene, send, failure, presses };
}

function shownOn(server: Server, on = topic): NtfyMessage {
  return server.on(on).at(-1) ?? expect.unreachable("nothing is on the phone");
}

/** Where somebody has listened a moment ago. */
async function addressOfNobody(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

test("a question comes to the phone with its buttons, and what is pressed comes back through the server", async () => {
  const server = await startNtfyServer();
  const { taken, send, channel } = await stewardAt(server);
  await send(question);
  const shown = shownOn(server);
  expect(shown).toMatchObject({
    ...{
      title: "Steward",
      message: "May I run **make**?",
      content_type: "text/markdown",
      priority: 4,
      tags: expect.arrayContaining(["question"]),
    },
    actions: [
      { action: "http", label: "Approve", method: "POST", clear: true },
      { action: "http", label: "Deny", method: "POST", clear: true },
    ],
  });
  expect((await server.press(shown, "Deny")).status).toBe(200);
  await eventually(() => taken.length, 1);
  expect(taken).toMatchObject([
    { kind: "press", press: "deny a1", address: { chat: topic }, isDirect: true, from: { id: topic, name: "phone" } },
  ]);
  const [press] = taken as (IncomingUpdate & { kind: "press" })[];
  await press?.answer("Denied.");
  expect(shownOn(server)).toMatchObject({ message: "Denied.", priority: 2 });
  expect(channel.life()).toMatchObject({ state: "connected", lastProofMs: expect.any(Number) });
});

test("where the owner is reached is known before anybody has written", async () => {
  const { channel, signal } = await stewardAt(await startNtfyServer(), { isStarted: false });
  expect(await channel.directAddress?.("ann", signal)).toEqual({ chat: topic });
});

test("a press made while Steward was away is taken at the next start, and only once", async () => {
  const server = await startNtfyServer();
  const remembered = new Map<string, string>();
  const first = await stewardAt(server, { remembered });
  await first.send(question);
  const shown = shownOn(server);
  await server.press(shown, "Approve");
  await eventually(first.presses, ["approve a1"]);
  await first.channel.close();
  await eventually(server.subscribers, 0);
  await server.press(shown, "Deny");
  const second = await stewardAt(server, { remembered });
  await eventually(second.presses, ["deny a1"]);
  await second.channel.close();
  const third = await stewardAt(server, { remembered });
  // whatever the server had kept would have come before this
  await server.press(shown, "Approve");
  await eventually(third.presses, ["approve a1"]);
});

test("a press that could not be kept comes again, and none after it is passed over", async () => {
  const server = await startNtfyServer();
  let refusals = 2;
  const scene = await stewardAt(server, {
    sleepMs: (ms) => ms / 20,
    onTake: () => {
      if (refusals-- > 0) throw new Error("the disk is full");
    },
  });
  await scene.send(question);
  await server.press(shownOn(server), "Deny");
  await server.press(shownOn(server), "Approve");
  await eventually(scene.presses, ["deny a1", "approve a1"]);
  expect(refusals).toBeLessThan(0);
});

test("presses that Steward has not offered are dropped without a word", async () => {
  const server = await startNtfyServer();
  const scene = await stewardAt(server);
  await scene.send(question);
  const [approve] = shownOn(server).actions ?? [];
  const url = approve?.url ?? "";
  const [seal] = approve?.body.split(".") ?? [];
  const other = Buffer.from("approve a2").toString("base64url");
  for (const body of ["approve a1", `${seal}.${other}`, `.${other}`, "", "{}"])
    await fetch(url, { method: "POST", body });
  await server.press(shownOn(server), "Approve");
  await eventually(scene.presses, ["approve a1"]);
  expect(server.on(topic)).toHaveLength(1);
});

test("a stream that drops is made anew, and what the server says twice is taken once", async () => {
  const server = await startNtfyServer();
  server.isDoubling = true;
  const scene = await stewardAt(server, { sleepMs: (ms) => ms / 20 });
  await scene.send(question);
  await server.press(shownOn(server), "Approve");
  await eventually(scene.presses, ["approve a1"]);
  server.dropStreams();
  await server.press(shownOn(server), "Deny");
  await eventually(scene.presses, ["approve a1", "deny a1"]);
  expect(server.subscriptions()).toBeGreaterThan(1);
});

test("a stream on which nothing is said any more is replaced", async () => {
  const server = await startNtfyServer({ keepAliveMs: 20 });
  const scene = await stewardAt(server, { sleepMs: (ms) => ms / 100 });
  await scene.send(question);
  server.isSilent = true;
  const before = server.subscriptions();
  await server.press(shownOn(server), "Approve");
  await eventually(() => server.subscriptions() > before);
  await eventually(scene.presses, ["approve a1"]);
});

test("a server that takes the connection and never answers is asked anew", async () => {
  const server = await startNtfyServer();
  server.faults.push({ on: "subscribe", how: "never answer" }, { on: "subscribe", how: { status: 503 } });
  await stewardAt(server, { sleepMs: (ms) => ms / 100 });
  expect(server.subscriptions()).toBeGreaterThanOrEqual(3);
});

test("signs of life of the server are proof that the way is open", async () => {
  const server = await startNtfyServer({ keepAliveMs: 20 });
  const { channel } = await stewardAt(server);
  const before = channel.life().lastProofMs ?? 0;
  await eventually(() => (channel.life().lastProofMs ?? 0) > before);
});

test("Steward's own token is in no message; buttons have one of their own, which can do nothing but press", async () => {
  const server = await startNtfyServer({ token: "tk_right", pressToken: "tk_press" });
  const scene = await stewardAt(server, { secrets: { NTFY_TOKEN: " tk_right\n", NTFY_PRESS_TOKEN: " tk_press\n" } });
  await scene.send(question);
  expect(JSON.stringify(shownOn(server))).not.toContain("tk_right");
  const asked = server.requests.length;
  expect((await server.press(shownOn(server), "Approve")).status).toBe(200);
  await eventually(scene.presses, ["approve a1"]);
  expect(server.requests.slice(0, asked).map(({ headers }) => headers.authorization)).toEqual(
    server.requests.slice(0, asked).map(() => "Bearer tk_right"),
  );
  expect(server.requests[asked]?.headers.authorization).toBe("Bearer tk_press");
  expect(scene.channel.life().detail).toBe(
    `Pushes to ${new URL(server.url).host}, and hears what is pressed on the phone.`,
  );
});

test("without a token of their own, buttons need a server that lets everyone press, and that is said", async () => {
  const open = await startNtfyServer({ token: "tk_right", pressToken: "everyone" });
  const scene = await stewardAt(open, { secrets: { NTFY_TOKEN: "tk_right" } });
  await scene.send(question);
  expect(shownOn(open).actions?.map((action) => action.headers)).toEqual([undefined, undefined]);
  expect((await open.press(shownOn(open), "Approve")).status).toBe(200);
  await eventually(scene.presses, ["approve a1"]);
  expect(scene.channel.life().detail).toContain(
    `if the server lets everyone write to ${topic}-* or NTFY_PRESS_TOKEN is set`,
  );
  const closed = await startNtfyServer({ token: "tk_right" });
  const other = await stewardAt(closed, { secrets: { NTFY_TOKEN: "tk_right" } });
  await other.send(question);
  expect((await closed.press(shownOn(closed), "Approve")).status).toBe(403);
});

test.each([
  [
    "tk_wrong",
    "does not accept the token in NTFY_TOKEN. Make a new one there and give it under Channels on the page, or with: steward channels set-token",
  ],
  [
    undefined,
    `wants a token for the topic ${topic}. Make one there and give it under Channels on the page, or with: steward channels set-token NTFY_TOKEN`,
  ],
])(
  "a server that does not let Steward in with %j is told with what to do, and asked again when wished",
  async (token, said) => {
    const server = await startNtfyServer({ token: "tk_right" });
    const secrets = token === undefined ? {} : { NTFY_TOKEN: token };
    const scene = await stewardAt(server, { isStarted: false, secrets });
    scene.channel.start();
    await eventually(() => scene.channel.life().state, "refused");
    const { detail } = scene.channel.life();
    expect(detail).toContain(said);
    const failure = await scene.failure(question);
    expect(failure).toMatchObject({ retry: "again", arrived: "no", retryAfterMs: expect.any(Number) });
    expect(failure.message).toContain(said);
    expect(`${detail}${failure.stack}${scene.troubles}`).not.toContain("tk_wrong");
    expect(server.subscriptions()).toBe(1);
    server.token = token;
    await scene.channel.reconnect();
    await eventually(() => scene.channel.life().state, "connected");
    await scene.send(question);
  },
);

test("a token that is taken back while Steward listens shows at the next message", async () => {
  const server = await startNtfyServer({ token: "tk_right" });
  const scene = await stewardAt(server, { secrets: { NTFY_TOKEN: "tk_right" } });
  server.token = "tk_other";
  await scene.failure(question);
  expect(scene.channel.life().state).toBe("refused");
  server.token = "tk_right";
  await scene.send(question);
  expect(scene.channel.life().state).toBe("connected");
});

test.each([
  [
    { status: 429, headers: { "retry-after": "7" } },
    { retry: "again", arrived: "no", retryAfterMs: 7000 },
  ],
  [
    { status: 429, body: { code: 42901, error: "limit reached" } },
    { retry: "again", arrived: "no", retryAfterMs: 10_000 },
  ],
  [
    { status: 429, body: { code: 42908, error: "daily" } },
    { retry: "again", arrived: "no", retryAfterMs: 3_600_000 },
  ],
  [
    { status: 500, body: { error: "internal server error" } },
    { retry: "again", arrived: "maybe" },
  ],
  [
    { status: 413, body: { code: 41301, error: "attachment too large" } },
    { retry: "never", arrived: "no" },
  ],
  [
    { status: 413, body: "<html>" },
    { retry: "never", arrived: "no" },
  ],
  [
    { status: 404, body: { code: 40401, error: "page not found" } },
    { retry: "never", arrived: "no" },
  ],
  [
    { status: 404, body: "<html>" },
    { retry: "again", arrived: "no" },
  ],
  [
    { status: 400, body: { error: "a proxy's" } },
    { retry: "again", arrived: "no" },
  ],
  [
    { status: 301, headers: { location: "https://example.org/" } },
    { retry: "again", arrived: "no" },
  ],
  [
    { status: 200, body: "<html>" },
    { retry: "again", arrived: "maybe" },
  ],
])(
  "a message that the server answers with %j is not sent, and it is known what to do with it",
  async (answer, expected) => {
    const server = await startNtfyServer();
    const scene = await stewardAt(server, { isStarted: false });
    server.faults.push({ on: "publish", how: answer });
    expect(await scene.failure(words("Good morning"))).toMatchObject(expected);
    expect(server.on(topic)).toEqual([]);
  },
);

test("a message that reaches nobody surely has not arrived", async () => {
  const scene = await stewardAt({ ...(await startNtfyServer()), url: await addressOfNobody() }, { isStarted: false });
  expect(await scene.failure(words("Good morning"))).toMatchObject({ retry: "again", arrived: "no" });
  scene.channel.start();
  await eventually(() => scene.channel.life().detail.includes("was not reached"));
  expect(scene.channel.life()).toMatchObject({ state: "connecting", lastProofMs: undefined });
});

test.each([
  ["of today", true],
  ["that is too old for sequence ids", false],
])("on a server %s, a message whose answer was lost is found by its key", async (_age, knowsSequences) => {
  const server = await startNtfyServer({ knowsSequences });
  const { send, failure, channel, signal } = await stewardAt(server, { isStarted: false });
  const [one, other] = [`7.0.${Date.now()}`, `8.0.${Date.now()}`];
  // nothing is known of the server yet, and the answer of the very first one is lost
  const first = `6.0.${Date.now()}`;
  server.faults.push({ on: "publish", how: "cut off after" });
  expect(await failure(words("Hello", first))).toMatchObject({ arrived: "maybe" });
  expect(await channel.find?.({ chat: topic }, first, signal)).toEqual({ ref: expect.any(String) });
  await send(words("This one says what the server knows"));
  server.faults.push({ on: "publish", how: "cut off after" }, { on: "publish", how: "cut off" });
  expect(await failure(words("Good morning", one))).toMatchObject({ retry: "again", arrived: "maybe" });
  expect(await failure(words("Good evening", other))).toMatchObject({ retry: "again", arrived: "maybe" });
  expect(await channel.find?.({ chat: topic }, one, signal)).toEqual({ ref: expect.any(String) });
  expect(await channel.find?.({ chat: topic }, other, signal)).toBeUndefined();
  // people see no marks unless there is no other way
  expect(shownOn(server).tags === undefined).toBe(knowsSequences);
});

test("of a message that is older than what the server keeps nobody knows whether it arrived", async () => {
  const { channel, signal } = await stewardAt(await startNtfyServer(), { isStarted: false });
  const findOneOf = (hoursAgo: number) =>
    channel.find?.({ chat: topic }, `7.0.${Date.now() - hoursAgo * 3_600_000}`, signal);
  expect(await findOneOf(13)).toBe("unknown");
  expect(await findOneOf(11)).toBeUndefined();
});

test("what Steward knows of an old server is known after a restart, and forgotten when the server is renewed", async () => {
  const remembered = new Map<string, string>();
  const old = await startNtfyServer({ knowsSequences: false });
  await (await stewardAt(old, { remembered, isStarted: false })).send(words("one"));
  const later = await stewardAt(old, { remembered, isStarted: false });
  await later.send(words("two"));
  expect(shownOn(old).tags).toEqual([expect.stringMatching(/^s-[0-9a-f]{12}$/)]);
  const renewed = await startNtfyServer();
  const { send } = await stewardAt(renewed, { remembered, isStarted: false });
  await send(words("three"));
  await send(words("four"));
  expect(shownOn(renewed)).not.toHaveProperty("tags");
});

test("a question that was answered elsewhere leaves the phone, as far as the server can do that", async () => {
  for (const knowsSequences of [true, false]) {
    const server = await startNtfyServer({ knowsSequences });
    const { send, channel, signal } = await stewardAt(server, { isStarted: false });
    const { ref } = await send(question);
    await channel.remove?.({ chat: topic }, ref, signal);
    expect(shownOn(server)).toMatchObject(
      knowsSequences ? { event: "message_delete", sequence_id: ref } : { event: "message" },
    );
  }
});

test("small files come along, and of others the phone hears where they are", async () => {
  const server = await startNtfyServer();
  const { send } = await stewardAt(server, { isStarted: false });
  const file = (bytes: number) => ({
    name: "Bericht März.pdf",
    mediaType: "application/pdf",
    data: new Uint8Array(bytes),
  });
  await send({ ...words("The report:\n- März"), file: file(5000) });
  expect(shownOn(server)).toMatchObject({
    ...{ message: "The report:\n- März", attachment: { name: "Bericht März.pdf", size: 5000 } },
  });
  await send({ key: "large", piece: undefined, details: {}, file: file(2_000_001) });
  expect(shownOn(server).message).toBe(
    "The file Bericht März.pdf (2 MB) cannot be sent here: you find it in the conversation, on the page.",
  );
  server.faults.push({ on: "publish", how: { status: 400, body: { code: 40014, error: "attachments not allowed" } } });
  await send({ ...words("Here."), file: file(10) });
  expect(shownOn(server).message).toMatch(/^Here\.\n\nThe file Bericht März\.pdf \(10 bytes\) cannot/);
});

test("a text as long as ntfy takes it stays a text, whatever is in it", async () => {
  const server = await startNtfyServer();
  const { send } = await stewardAt(server, { isStarted: false });
  const text = `${'"\n'.repeat(2000)}ü${"x".repeat(93)}`;
  expect(Buffer.byteLength(text)).toBe(4095);
  await send({ ...question, piece: { markup: text, plain: text } });
  expect(shownOn(server)).toMatchObject({ message: text, actions: [{}, {}] });
  expect(shownOn(server)).not.toHaveProperty("attachment");
});

test("of more buttons than ntfy takes the first three are shown", async () => {
  const server = await startNtfyServer();
  const { send } = await stewardAt(server, { isStarted: false });
  const row = ["Once", "Always", "Deny", "More"].map((label) => ({ label, press: label, tone: "plain" as const }));
  await send({ ...question, buttons: row.map((button) => [button]) });
  expect(shownOn(server).actions?.map(({ label }) => label)).toEqual(["Once", "Always", "Deny"]);
});

test("buttons on the phone stay good over a restart, and another topic gets replies of its own", async () => {
  const server = await startNtfyServer();
  const remembered = new Map<string, string>();
  const long = "a".repeat(64);
  const urls = [];
  for (const one of [topic, topic, long]) {
    await (await stewardAt(server, { remembered, topic: one, isStarted: false })).send(question);
    urls.push(shownOn(server, one).actions?.[0]);
  }
  expect(urls[1]).toEqual(urls[0]);
  expect(urls[0]?.url).toMatch(new RegExp(`^${server.url}/${topic}-[a-z2-7]{24}$`));
  expect(urls[2]?.url).toMatch(/\/a{39}-[a-z2-7]{24}$/);
});

test("closing ends the connection, a message under way and every wait", async () => {
  const server = await startNtfyServer();
  const { channel, failure } = await stewardAt(server);
  server.faults.push({ on: "publish", how: "never answer" });
  const sending = failure(words("Good morning"));
  await eventually(() => server.requests.some(({ method }) => method === "POST"));
  await channel.close();
  expect(await sending).toMatchObject({ retry: "again", arrived: "maybe" });
  await eventually(server.subscribers, 0);
  expect(channel.life().state).toBe("closed");
  const unreachable = await stewardAt({ ...server, url: await addressOfNobody() }, { isStarted: false });
  unreachable.channel.start();
  await eventually(() => unreachable.channel.life().detail.includes("tried again"));
  await unreachable.channel.close();
});

test("without a topic, one is proposed that nobody guesses", () => {
  const said = ntfyChannel.problem?.(Settings.parse({ channels: { ntfy: { enabled: true } } }));
  expect(said).toMatch(/steward config set channels\.ntfy\.topic steward-[a-z0-9]{16}$/);
});

test("a topic that could be guessed is taken only on a server that strangers do not reach", () => {
  const problem = (ntfy: Record<string, string>) => ntfyChannel.problem?.(Settings.parse({ channels: { ntfy } }));
  const advice =
    /^The topic ann-phone could be guessed.*steward config set channels\.ntfy\.topic steward-[a-z0-9]{16}$/;
  expect(problem({ topic })).toMatch(advice);
  expect(problem({ topic, url: "https://ntfy.example.org" })).toMatch(advice);
  expect(problem({ topic, url: "http://192.168.1.4" })).toBeUndefined();
  expect(problem({ topic: "steward-k4vq9tw2xb7rhm3z" })).toBeUndefined();
});
