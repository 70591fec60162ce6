import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import type { OutgoingMessage } from "../../src/contract/channel/outgoing-message.ts";
import { connectedDiscord, openDiscordScene } from "../scenes/channels/discord-scene.ts";

const words = (key: string, markup: string, plain = markup): OutgoingMessage => ({
  key,
  piece: { markup, plain },
  details: {},
});

test("a message goes out with its buttons, quiet links and nobody called by name", async () => {
  const { discord, channel, signal } = await openDiscordScene();
  const buttons = [
    [
      { label: "Approve", press: "a1", tone: "yes" as const },
      { label: "Deny", press: "d1", tone: "no" as const },
    ],
  ];
  const { ref } = await channel.send(
    { chat: discord.direct },
    { ...words("k1", "May I, @everyone?"), buttons },
    signal,
  );
  expect(discord.messages(discord.direct).map(({ id, content }) => [id, content])).toEqual([
    [ref, "May I, @everyone?"],
  ]);
  expect(discord.requests[0]?.body).toMatchObject({
    allowed_mentions: { parse: [] },
    flags: 4,
    components: [
      {
        type: 1,
        components: [
          { style: 3, label: "Approve", custom_id: "a1" },
          { style: 4, custom_id: "d1" },
        ],
      },
    ],
  });
});

test("a message to a thread goes into the thread", async () => {
  const { discord, channel, signal } = await openDiscordScene();
  await channel.send({ chat: discord.general, thread: discord.thread }, words("k1", "cake"), signal);
  expect(discord.messages(discord.thread)).toHaveLength(1);
});

test("a file goes out with its words", async () => {
  const { discord, channel, signal } = await openDiscordScene();
  const file = { name: "report.csv", mediaType: "text/csv", data: Buffer.from("a,b") };
  await channel.send({ chat: discord.direct }, { ...words("k1", "Here it is."), file }, signal);
  expect(discord.messages(discord.direct)).toMatchObject([
    { content: "Here it is.", attachments: [{ filename: "report.csv", size: 3 }] },
  ]);
  expect(await discord.requests[0]?.files[0]?.text()).toBe("a,b");
  expect(discord.requests[0]?.files[0]?.type).toBe("text/csv");
});

test("a message is changed, loses its buttons, and goes; what is gone already counts as gone", async () => {
  const { discord, channel, signal } = await openDiscordScene();
  const to = { chat: discord.direct };
  const buttons = [[{ label: "Yes", press: "y", tone: "plain" as const }]];
  const { ref } = await channel.send(to, { ...words("k1", "a draft"), buttons }, signal);
  await channel.edit?.(to, ref, words("k1", "the answer"), signal);
  expect(discord.messages(discord.direct)).toMatchObject([{ content: "the answer", components: [] }]);
  await channel.typing?.(to, signal);
  await channel.react?.(to, ref, "👍", signal);
  expect(discord.requests.at(-1)?.path).toBe(`/channels/${discord.direct}/messages/${ref}/reactions/%F0%9F%91%8D/@me`);
  await channel.remove?.(to, ref, signal);
  await channel.remove?.(to, ref, signal);
  expect(discord.messages(discord.direct)).toEqual([]);
});

test("what Discord refuses as it stands goes out without marks", async () => {
  const { discord, channel, signal } = await openDiscordScene();
  discord.faults.push({
    on: "POST /channels",
    what: { status: 400, body: { code: 50_035, message: "Invalid Form Body" } },
  });
  await channel.send({ chat: discord.direct }, words("k1", "**bold**", "bold"), signal);
  expect(discord.messages(discord.direct)).toMatchObject([{ content: "bold" }]);
});

test("the same message sent twice stands there once", async () => {
  const { discord, channel, signal } = await openDiscordScene();
  const first = await channel.send({ chat: discord.direct }, words("k1", "hello"), signal);
  const second = await channel.send({ chat: discord.direct }, words("k1", "hello"), signal);
  expect(second).toEqual(first);
  expect(discord.messages(discord.direct)).toHaveLength(1);
});

test.each([
  ["429 in the head", { status: 429, headers: { "retry-after": "2" }, body: { retry_after: 2 } }, ["again", "no", 2]],
  ["429 in the body", { status: 429, body: { retry_after: 1.5, message: "slow down" } }, ["again", "no", 1.5]],
  ["429 of a proxy", { status: 429, headers: { "retry-after": "7" }, body: "<html>" }, ["again", "no", 7]],
  ["a fault of Discord's", { status: 502, body: "<html>" }, ["again", "maybe", undefined]],
  [
    "a person who takes no messages",
    { status: 403, body: { code: 50_007, message: "Cannot send" } },
    ["never", "no", undefined],
  ],
  [
    "a channel that is gone",
    { status: 404, body: { code: 10_003, message: "Unknown Channel" } },
    ["never", "no", undefined],
  ],
  ["a page of a proxy", { status: 403, body: "<html>" }, ["again", "no", undefined]],
  ["a refused token", { status: 401, body: { code: 0, message: "401: Unauthorized" } }, ["again", "no", undefined]],
] as const)(
  "%s is a failure of the right kind, and the next message goes out",
  async (_, what, [retry, arrived, seconds]) => {
    const { discord, channel, signal } = await openDiscordScene();
    discord.faults.push({ on: "POST /channels", what });
    const failure = await channel
      .send({ chat: discord.direct }, words("k1", "hello"), signal)
      .catch((cause: unknown) => cause);
    expect(failure).toMatchObject({ name: "DiscordFailure", retry, arrived });
    const waitMs = (failure as { retryAfterMs?: number }).retryAfterMs;
    expect(waitMs).toBe(seconds === undefined ? undefined : seconds * 1_000);
    expect(String((failure as Error).message)).not.toContain(discord.token);
    await channel.send({ chat: discord.general }, words("k2", "next"), signal);
    expect(discord.messages(discord.general)).toHaveLength(1);
  },
);

test("what is wrong with a message is said with its place", async () => {
  const { discord, channel, signal } = await openDiscordScene();
  const errors = { content: { _errors: [{ code: "BASE_TYPE_BAD_LENGTH", message: "Must be 2000 or fewer." }] } };
  const body = { code: 50_035, message: "Invalid Form Body", errors };
  discord.faults.push({ on: "POST /channels", what: { status: 400, body } });
  const sending = channel.send({ chat: discord.direct }, words("k1", "hello"), signal);
  await expect(sending).rejects.toThrow(/^Discord answered 400 \(50035\): Invalid Form Body .*content.*Must be 2000/);
});

test("a request that Discord would refuse for its number is not even made, and others go on", async () => {
  const { discord, channel, signal } = await openDiscordScene();
  const to = { chat: discord.direct };
  const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "600" };
  discord.faults.push({ on: `POST /channels/${discord.direct}/typing`, what: { status: 204, headers } });
  await channel.typing?.(to, signal);
  await expect(channel.typing?.(to, signal)).rejects.toMatchObject({ retry: "again", arrived: "no", status: 429 });
  expect(discord.requests).toHaveLength(1);
  await channel.typing?.({ chat: discord.general }, signal);
  await channel.send(to, words("k1", "hello"), signal);
  expect(discord.messages(discord.direct)).toHaveLength(1);
});

test("when Discord refuses everything for a while, nothing is sent meanwhile", async () => {
  const { discord, channel, signal } = await openDiscordScene();
  const body = { retry_after: 600, global: true, message: "You are being rate limited." };
  discord.faults.push({ on: "POST /channels", what: { status: 429, body } });
  await expect(channel.send({ chat: discord.direct }, words("k1", "hello"), signal)).rejects.toThrow();
  const next = channel.send({ chat: discord.general }, words("k2", "next"), signal);
  await expect(next).rejects.toMatchObject({ retry: "again", arrived: "no", status: 429 });
  expect(discord.requests).toHaveLength(1);
});

test("an answer that sends elsewhere is not followed with the token", async () => {
  const { discord, channel, signal } = await openDiscordScene();
  const elsewhere = await openDiscordScene();
  const location = `${elsewhere.discord.apiUrl}/v10/channels/${discord.direct}/messages`;
  discord.faults.push({ on: "POST /channels", what: { status: 307, headers: { location } } });
  const sending = channel.send({ chat: discord.direct }, words("k1", "hello"), signal);
  await expect(sending).rejects.toMatchObject({ retry: "again" });
  expect(elsewhere.discord.requests).toEqual([]);
});

test.each([
  ["drop before", 0],
  ["drop after", 1],
] as const)(
  "a connection that breaks (%s) may have brought the message, and sending again never doubles it",
  async (what, there) => {
    const { discord, channel, signal } = await openDiscordScene();
    discord.faults.push({ on: "POST /channels", what });
    const send = () => channel.send({ chat: discord.direct }, words("k1", "hello"), signal);
    await expect(send()).rejects.toMatchObject({ retry: "again", arrived: "maybe" });
    expect(discord.messages(discord.direct)).toHaveLength(there);
    await send();
    expect(discord.messages(discord.direct)).toHaveLength(1);
  },
);

test("a request that is never answered ends, and may have brought the message", async () => {
  const { discord, channel, signal } = await openDiscordScene({ timings: { requestMs: 300 } });
  discord.faults.push({ on: "POST /channels", what: "silence" });
  const sending = channel.send({ chat: discord.direct }, words("k1", "hello"), signal);
  await expect(sending).rejects.toMatchObject({ retry: "again", arrived: "maybe" });
});

test("a file may take longer than an answer", async () => {
  const { discord, channel, signal } = await openDiscordScene({ timings: { requestMs: 300 } });
  discord.faults.push({ on: "POST /channels", what: "silence", times: 2 });
  const file = { name: "film.mp4", mediaType: "video/mp4", data: Buffer.from("a film") };
  let isOver = false;
  const sending = channel
    .send({ chat: discord.direct }, { ...words("k1", "Here it is."), file }, signal)
    .catch((cause: unknown) => cause)
    .finally(() => {
      isOver = true;
    });
  await expect(channel.send({ chat: discord.direct }, words("k2", "hello"), signal)).rejects.toThrow("in time");
  expect(isOver).toBe(false);
  await channel.close();
  expect(await sending).toMatchObject({ retry: "again", arrived: "maybe" });
});

test("where nobody listens the message has surely not arrived", async () => {
  const { discord, signal } = await openDiscordScene();
  const { port } = await closedPort();
  const { channel } = await openDiscordScene({ discord: { ...discord, apiUrl: `http://127.0.0.1:${port}/api` } });
  const sending = channel.send({ chat: discord.direct }, words("k1", "hello"), signal);
  await expect(sending).rejects.toMatchObject({ retry: "again", arrived: "no" });
});

test("what is stopped before it is sent has surely not arrived", async () => {
  const { discord, channel } = await openDiscordScene();
  const sending = channel.send({ chat: discord.direct }, words("k1", "hello"), AbortSignal.abort());
  await expect(sending).rejects.toMatchObject({ retry: "again", arrived: "no" });
  expect(discord.requests).toEqual([]);
});

test("a message whose answer was lost is found by another process, even when Discord has forgotten its number", async () => {
  const first = await openDiscordScene();
  const { discord, remembered, signal } = first;
  const to = { chat: discord.direct };
  await first.channel.send(to, words("k0", "hello"), signal);
  discord.faults.push({ on: "POST /channels", what: "drop after" });
  await expect(first.channel.send(to, words("k1", "hello"), signal)).rejects.toThrow();
  await first.channel.close();
  discord.forgetNonces();
  discord.say(discord.direct, "hello");

  const second = await openDiscordScene({ discord, remembered });
  expect(await second.channel.find?.(to, "k1", signal)).toEqual({ ref: discord.messages(discord.direct)[1]?.id });
  expect(await second.channel.find?.(to, "k2", signal)).toBeUndefined();
});

const laterMs = 10 * 60_000;

test("a message is looked up from its first try on, also when others went out since", async () => {
  const first = await openDiscordScene();
  const { discord, remembered, signal } = first;
  const to = { chat: discord.direct };
  const failing = async (what: "drop before" | "drop after", key: string, text: string) => {
    discord.faults.push({ on: "POST /channels", what });
    await expect(first.channel.send(to, words(key, text), signal)).rejects.toThrow();
  };
  await failing("drop after", "k1", "hello");
  discord.forgetNonces();
  await failing("drop before", "k1", "(a repeat) hello");
  await first.channel.send(to, words("k2", "other words"), signal);
  await first.channel.close();
  const second = await openDiscordScene({ discord, remembered, aheadMs: laterMs });
  expect(await second.channel.find?.(to, "k1", signal)).toEqual({ ref: discord.messages(discord.direct)[0]?.id });
});

test("the same words that went out shortly before prove nothing, once Discord has forgotten its number", async () => {
  const first = await openDiscordScene();
  const { discord, remembered, signal } = first;
  const to = { chat: discord.direct };
  await first.channel.send(to, words("k0", "hello"), signal);
  await first.channel.close();
  const second = await openDiscordScene({ discord, remembered });
  discord.faults.push({ on: "POST /channels", what: "drop before" });
  await expect(second.channel.send(to, words("k1", "hello"), signal)).rejects.toThrow();
  // for now Discord drops a second one, so that it can be sent again without harm
  expect(await second.channel.find?.(to, "k1", signal)).toBeUndefined();
  await second.channel.close();
  const third = await openDiscordScene({ discord, remembered, aheadMs: laterMs });
  expect(await third.channel.find?.(to, "k1", signal)).toBe("unknown");
});

test("of a message after which much was said nobody knows whether it has arrived", async () => {
  const first = await openDiscordScene();
  const { discord, remembered, signal } = first;
  const to = { chat: discord.direct };
  discord.faults.push({ on: "POST /channels", what: "drop before" });
  await expect(first.channel.send(to, words("k1", "hello"), signal)).rejects.toThrow();
  const find = async () => {
    const later = await openDiscordScene({ discord, remembered, aheadMs: laterMs });
    return later.channel.find?.(to, "k1", signal);
  };
  for (let said = 0; said < 99; said++) discord.say(discord.direct, `${said}`);
  expect(await find()).toBeUndefined();
  discord.say(discord.direct, "one more");
  expect(await find()).toBe("unknown");
});

test("a message that has not arrived is not found", async () => {
  const { discord, channel, signal } = await openDiscordScene();
  const to = { chat: discord.direct };
  await channel.send(to, words("k0", "hello"), signal);
  discord.faults.push({ on: "POST /channels", what: "drop before" });
  await expect(channel.send(to, words("k1", "hello"), signal)).rejects.toThrow();
  expect(await channel.find?.(to, "k1", signal)).toBeUndefined();
});

test("while connected a message whose answer was lost is known from the gateway", async () => {
  const { discord, channel, signal } = await connectedDiscord();
  const to = { chat: discord.direct };
  discord.faults.push({ on: "POST /channels", what: "drop after" });
  await expect(channel.send(to, words("k1", "hello"), signal)).rejects.toThrow();
  expect(await channel.find?.(to, "k1", signal)).toEqual({ ref: discord.messages(discord.direct)[0]?.id });
});

test("somebody who cannot be written to is told apart", async () => {
  const { channel, signal } = await openDiscordScene();
  await expect(channel.directAddress?.("100000000000000099", signal)).rejects.toMatchObject({
    retry: "never",
    code: 50_007,
  });
});

async function closedPort(): Promise<AddressInfo> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return address;
}
