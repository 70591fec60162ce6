// The gateway's methods about channels and groups on the page's own socket, before a platform answers: every frame is read by the
// contract's schemas, everything else goes on to the real gateway. What a platform would do is set by the test.
import type { BrowserContext, WebSocketRoute } from "playwright-core";
import { conversationAt } from "../../../src/contract/channel/address.ts";
import type { MethodResult } from "../../../src/contract/wire/method.ts";
import { channelMethods } from "../../../src/contract/wire/methods/channels.ts";
import type { Served } from "../../../src/contract/wire/methods/define-methods.ts";
import { shownChannel } from "../../scenes/page/shown-channel.ts";

type Channels = MethodResult<"channels.list">;
type Groups = MethodResult<"groups.list">;
type ChannelName = Channels["channels"][number]["name"];
type Frame = { id?: string; method?: string; params?: Record<string, unknown> };

export type FakeChannels = {
  /** What is told; a test may change it at any time. */
  state: Channels & Groups;
  channel(name: ChannelName): Channels["channels"][number];
  /** What was asked for, in this order. */
  asked: { method: string }[];
  /** The next call of this method is refused with these words. */
  refuse(method: string, message: string): void;
  /** Somebody writes a code to the bot. */
  pair(name: ChannelName, person: { id: string; name: string }): void;
  /** The values given to `channels.set_secret`. */
  secrets: Map<string, string>;
};

const needed: Readonly<Record<ChannelName, readonly string[]>> = {
  telegram: ["TELEGRAM_BOT_TOKEN"],
  slack: ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"],
  discord: ["DISCORD_BOT_TOKEN"],
  email: ["EMAIL_PASSWORD"],
  ntfy: [],
};
const titles = { telegram: "Telegram", slack: "Slack", discord: "Discord", email: "Email", ntfy: "ntfy" } as const;

export async function answerChannelMethods(context: BrowserContext): Promise<FakeChannels> {
  const fake = openFakeChannels();
  const answers = answersOf(fake);
  await context.routeWebSocket(/\/ws$/, (page) => {
    const gateway = page.connectToServer();
    page.onMessage((text) => {
      const frame: Frame = JSON.parse(String(text));
      if (!answer(fake, answers, page, frame)) gateway.send(text);
    });
  });
  return fake;
}

type Inner = FakeChannels & { refusals: Map<string, string>; wanted: Map<ChannelName, boolean> };

function openFakeChannels(): Inner {
  const names = Object.keys(needed) as ChannelName[];
  const channels = names.map((name) =>
    shownChannel({
      ...{ name, title: titles[name], receives: name !== "ntfy", groups: !["email", "ntfy"].includes(name) },
      secrets: needed[name].map((secret) => ({ name: secret, found: false })),
    }),
  );
  const fake: Inner = {
    state: { channels, codes: 0, groups: [], seen: [] },
    channel: (name) => channels.find((one) => one.name === name) ?? shownChannel(),
    asked: [],
    refuse: (method, message) => void fake.refusals.set(method, message),
    pair(name, { id, name: title }) {
      fake.channel(name).people.push({ id, name: title, from: "paired" });
      fake.state.codes -= 1;
    },
    ...{ secrets: new Map(), refusals: new Map(), wanted: new Map() },
  };
  return fake;
}

type Answers = Served<typeof channelMethods>;

/** False: it is the real gateway's business. */
function answer(fake: Inner, answers: Answers, page: WebSocketRoute, { id, method = "", params = {} }: Frame): boolean {
  if (method === "settings.set") noteSwitches(fake, params);
  if (method === "settings.apply") applySwitches(fake);
  if (!isKnown(method)) return false;
  fake.asked.push({ method });
  const refusal = fake.refusals.get(method);
  fake.refusals.delete(method);
  const read = channelMethods[method].params.safeParse(params);
  if (refusal !== undefined || !read.success) {
    const message = refusal ?? `${method} does not take this: ${read.error?.message}`;
    page.send(JSON.stringify({ id, error: { code: -32000, message, data: { reason: "conflict" } } }));
    return true;
  }
  // the schema of the same name has read them just before
  const act = answers[method] as unknown as (caller: undefined, params: unknown) => Promise<unknown>;
  void act(undefined, read.data).then((result) =>
    page.send(JSON.stringify({ id, result: channelMethods[method].result.parse(result) })),
  );
  return true;
}

function answersOf(fake: Inner): Answers {
  const { state } = fake;
  let codes = 0;
  return {
    "channels.list": async () => ({ channels: state.channels, codes: state.codes }),
    async "channels.pair"(_, { channel }) {
      state.codes = Math.min(3, state.codes + 1);
      codes += 1;
      return { code: `BCDF234${codes}`, channel, expiresAtMs: Date.now() + 3_600_000 };
    },
    async "channels.unpair_codes"() {
      state.codes = 0;
      return { ok: true };
    },
    async "channels.remove_person"(_, { channel, person }) {
      const shown = fake.channel(channel);
      shown.people = shown.people.filter(({ id }) => id !== person);
      return { ok: true };
    },
    "channels.test": async () => ({ ok: true, detail: "It has arrived." }),
    async "channels.set_secret"(_, { name, value }) {
      fake.secrets.set(name, value);
      const secrets = state.channels.flatMap((channel) => channel.secrets);
      for (const secret of secrets) if (secret.name === name) secret.found = true;
      return { ok: true };
    },
    "channels.reconnect": async () => ({ ok: true }),
    "groups.list": async () => ({ groups: state.groups, seen: state.seen }),
    async "groups.register"(_, { channel, address, title, options, ...named }) {
      const name = named.name ?? title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
      const group = { name, title, channel, address, options, conversation: conversationAt(channel, address) };
      state.groups.push({ ...group, folder: `/home/anna/.steward/groups/${name}`, problems: [] });
      state.seen = state.seen.filter((chat) => chat.address.chat !== address.chat);
      return group;
    },
    async "groups.change"(_, { group, options }) {
      const known = state.groups.find(({ name }) => name === group);
      if (!known) throw new Error(`there is no group ${group}`);
      return Object.assign(known, { options });
    },
    async "groups.remove"(_, { group }) {
      state.groups = state.groups.filter(({ name }) => name !== group);
      return { ok: true };
    },
  };
}

function noteSwitches(fake: Inner, { changes }: { changes?: unknown }): void {
  for (const { key, value } of (changes ?? []) as { key: string; value: unknown }[]) {
    const name = /^channels\.(\w+)\.enabled$/.exec(key)?.[1];
    if (name) fake.wanted.set(name as ChannelName, value === true);
  }
}

function applySwitches(fake: Inner): void {
  for (const [name, isOn] of fake.wanted) {
    const channel = fake.channel(name);
    const isWhole = channel.secrets.every(({ found }) => found);
    channel.state = !isOn ? "off" : isWhole ? "connected" : "incomplete";
    channel.detail = isOn && isWhole ? "@my_bot" : "";
    channel.lastProofMs = isOn && isWhole ? Date.now() : undefined;
  }
}

function isKnown(method: string): method is keyof typeof channelMethods {
  return Object.hasOwn(channelMethods, method);
}
