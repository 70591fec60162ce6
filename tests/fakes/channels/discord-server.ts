// Discord on loopback: the REST interface and the gateway as its documentation describes them, with faults on demand.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { type FakeGateway, serveGateway } from "./discord-gateway.ts";

export type FakeMessage = {
  id: string;
  channel_id: string;
  type: number;
  author: FakeUser;
  content: string;
  timestamp: string;
  mentions: FakeUser[];
  attachments: { id: string; filename: string; content_type: string; size: number; url: string }[];
  components: unknown[];
  [more: string]: unknown;
};

export type FakeUser = { id: string; username: string; global_name: string | null; bot?: boolean };

export type FakeRequest = {
  method: string;
  path: string;
  body: unknown;
  files: File[];
  authorization: string | undefined;
};

/**
 * What happens to requests that begin with these words ("POST /channels"). silence: never answered, or carried out and not answered. drop: the connection breaks,
 * before or after the request was carried out.
 */
export type RestFault = {
  on: string;
  times?: number;
  what:
    | { status: number; body?: unknown; headers?: Record<string, string>; afterwards?: boolean }
    | "silence"
    | "silence after"
    | "drop before"
    | "drop after";
};

export type FakeDiscord = {
  apiUrl: string;
  token: string;
  me: FakeUser;
  gateway: FakeGateway;
  requests: FakeRequest[];
  faults: RestFault[];
  /** What it knows of servers and channels; the ids are in `home`, `general` and so on. */
  home: string;
  general: string;
  thread: string;
  direct: string;
  /** Of somebody who has never written. */
  newcomersDirect: string;
  ownRole: string;
  /** A person (or whoever `more.author` is) writes. quietly: without telling the gateway. */
  say(channel: string, text: string, more?: Partial<FakeMessage>, quietly?: "quietly"): FakeMessage;
  upload(name: string, mediaType: string, data: string): FakeMessage["attachments"][number];
  press(channel: string, customId: string): { id: string; token: string };
  /** Somebody begins a thread in a channel, and the gateway is not told. */
  beginThread(channel: string, name: string): string;
  /** Oldest first. */
  messages(channel: string): readonly FakeMessage[];
  /** Some minutes pass: what was sent before is not known by its nonce any more. */
  forgetNonces(): void;
  /** How many requests have been met with silence. */
  held(): number;
};

export const bo: FakeUser = { id: "100000000000000001", username: "bo_99", global_name: "Bo" };
export const eve: FakeUser = { id: "100000000000000002", username: "eve", global_name: null };
export const newcomer: FakeUser = { id: "100000000000000003", username: "new_here", global_name: "Kim" };

type World = FakeDiscord & { channels: Map<string, Record<string, unknown>>; files: Map<string, Buffer> };
type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

/** `ends` is told how to close it; a test closes it at its own end. */
export async function startFakeDiscord(
  options: { heartbeatMs?: number; ends?: (close: () => Promise<void> | void) => void } = {},
): Promise<FakeDiscord> {
  const { ends = onTestFinished } = options;
  const server = createServer((request, response) => void serve(fake, keep, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const me: FakeUser = { id: "100000000000000000", username: "Steward", global_name: null, bot: true };
  const token = "discord-token-that-nobody-may-see";
  const gateway = serveGateway(server, () => `ws://127.0.0.1:${port}`, {
    token,
    heartbeatMs: options.heartbeatMs ?? 41_250,
    greeting: () => ({ user: me, guilds: [{ id: ids.home, unavailable: true }], application: { id: me.id } }),
  });
  const keep: Keep = { all: [], nonces: new Map(), next: 0, held: 0 };
  const fake: World = {
    ...{ apiUrl: `http://127.0.0.1:${port}/api`, token, me, gateway, requests: [], faults: [], ...ids },
    channels: new Map<string, Record<string, unknown>>([
      [ids.general, { id: ids.general, type: 0, guild_id: ids.home, name: "general" }],
      [ids.thread, { id: ids.thread, type: 11, guild_id: ids.home, parent_id: ids.general, name: "cake" }],
      [ids.direct, { id: ids.direct, type: 1, recipients: [bo] }],
      [ids.newcomersDirect, { id: ids.newcomersDirect, type: 1, recipients: [newcomer] }],
    ]),
    files: new Map(),
    say(channel, text, more = {}, quietly) {
      const message = newMessage(fake, keep, channel, { content: text, author: bo, ...more });
      if (quietly === undefined) gateway.dispatch("MESSAGE_CREATE", toldBy(fake, message));
      return message;
    },
    upload(name, mediaType, data) {
      const id = nextId(keep);
      fake.files.set(id, Buffer.from(data));
      const url = `http://127.0.0.1:${port}/files/${id}`;
      return { id, filename: name, content_type: mediaType, size: Buffer.byteLength(data), url };
    },
    press(channel, customId) {
      const id = nextId(keep);
      const guild = fake.channels.get(channel)?.guild_id;
      const who = guild === undefined ? { user: bo } : { guild_id: guild, member: { user: bo, nick: "Bobby" } };
      const data = { custom_id: customId, component_type: 2 };
      const press = { id, token: `interaction-token-${id}`, type: 3, channel_id: channel, data, ...who };
      gateway.dispatch("INTERACTION_CREATE", press);
      return press;
    },
    beginThread(channel, name) {
      const id = nextId(keep);
      fake.channels.set(id, { id, type: 11, guild_id: ids.home, parent_id: channel, name });
      return id;
    },
    messages: (channel) => keep.all.filter(({ channel_id }) => channel_id === channel),
    forgetNonces: () => keep.nonces.clear(),
    held: () => keep.held,
  };
  ends(() => {
    gateway.close();
    server.closeAllConnections();
    server.close();
  });
  return fake;
}

const ids = {
  home: "200000000000000000",
  ownRole: "200000000000000001",
  general: "300000000000000000",
  thread: "300000000000000001",
  direct: "300000000000000002",
  newcomersDirect: "300000000000000003",
};

type Keep = { all: FakeMessage[]; nonces: Map<string, FakeMessage>; next: number; held: number };

/** As Discord's: by time, and never the same. */
function nextId(keep: Keep): string {
  return String((BigInt(Date.now() - 1_420_070_400_000) << 22n) + BigInt(keep.next++));
}

function newMessage(fake: World, keep: Keep, channel: string, given: Partial<FakeMessage>): FakeMessage {
  const now = { type: 0, author: fake.me, content: "", timestamp: new Date().toISOString() };
  const mentions = [fake.me, bo, eve].filter(({ id }) => given.content?.includes(`<@${id}>`));
  const message = {
    ...now,
    id: nextId(keep),
    channel_id: channel,
    mentions,
    attachments: [],
    components: [],
    ...given,
  };
  keep.all.push(message);
  return message;
}

/** Only the gateway says in which server it was. */
function toldBy(fake: World, message: FakeMessage): Record<string, unknown> {
  const guild = fake.channels.get(message.channel_id)?.guild_id;
  return guild === undefined ? message : { ...message, guild_id: guild, member: { nick: null } };
}

async function serve(fake: World, keep: Keep, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://fake");
  const wish = await readRequest(request, url);
  fake.requests.push(wish);
  const file = url.pathname.startsWith("/files/") ? fake.files.get(url.pathname.slice("/files/".length)) : undefined;
  if (file) return void response.end(file);
  const fault = takeFault(fake, wish);
  if (fault === "silence") return void keep.held++;
  if (fault === "drop before") return void request.socket.destroy();
  if (typeof fault === "object" && !fault.afterwards) return reply(response, fault);
  const isKnown = wish.authorization === `Bot ${fake.token}` || wish.path.startsWith("/interactions/");
  const answer = isKnown ? carryOut(fake, keep, wish, url.searchParams) : refused(401, 0, "401: Unauthorized");
  if (fault === "silence after") return void keep.held++;
  if (fault === "drop after") return void request.socket.destroy();
  reply(response, typeof fault === "object" ? fault : answer);
}

async function readRequest(request: IncomingMessage, url: URL): Promise<FakeRequest> {
  const raw = await buffer(request);
  const type = request.headers["content-type"] ?? "";
  const { method = "GET" } = request;
  const path = url.pathname.replace(/^\/api\/v10/, "");
  const read = { method, path, files: [] as File[], authorization: request.headers.authorization };
  if (!type.startsWith("multipart/")) return { ...read, body: raw.length > 0 ? JSON.parse(String(raw)) : undefined };
  const headers = { "content-type": type };
  const form = await new Request("http://fake/", { method: "POST", headers, body: new Uint8Array(raw) }).formData();
  const files = [...form.values()].filter((value) => typeof value !== "string");
  return { ...read, files, body: JSON.parse(String(form.get("payload_json"))) };
}

function takeFault({ faults }: World, { method, path }: FakeRequest): RestFault["what"] | undefined {
  const fault = faults.find(({ on, times = 1 }) => times > 0 && `${method} ${path}`.startsWith(on));
  if (fault) fault.times = (fault.times ?? 1) - 1;
  return fault?.what;
}

function carryOut(fake: World, keep: Keep, wish: FakeRequest, query: URLSearchParams): Answer {
  const [, first, id = "", third, messageId] = wish.path.split("/");
  if (first === "guilds" && third === "threads") return listThreads(fake, keep, id);
  if (wish.path === "/gateway/bot") return { status: 200, body: gatewayOf(fake) };
  if (wish.path === "/users/@me") return { status: 200, body: fake.me };
  if (wish.path === "/users/@me/channels") return openDirect(fake, keep, wish.body as { recipient_id: string });
  if (first === "guilds")
    return { status: 200, body: { id, name: "Home", roles: [{ id: fake.ownRole, tags: { bot_id: fake.me.id } }] } };
  if (first === "interactions") return { status: 204 };
  const channel = fake.channels.get(id);
  if (!channel) return refused(404, 10_003, "Unknown Channel");
  if (third === undefined) return { status: 200, body: channel };
  if (third === "typing") return { status: 204 };
  if (messageId === undefined) {
    return wish.method === "GET" ? list(keep, id, query) : post(fake, keep, id, wish);
  }
  return change(fake, keep, id, messageId, wish);
}

function gatewayOf({ apiUrl }: World): unknown {
  const session_start_limit = { total: 1_000, remaining: 999, reset_after: 0, max_concurrency: 1 };
  return { url: `ws://${new URL(apiUrl).host}`, shards: 1, session_start_limit };
}

/** None of them is archived: Discord does that when nothing is said for long. */
function listThreads(fake: World, keep: Keep, guild: string): Answer {
  const threads = [...fake.channels.values()].filter(({ type, guild_id }) => type === 11 && guild_id === guild);
  const body = { threads: threads.map((thread) => ({ ...thread, ...lastIn(keep, String(thread.id)) })), members: [] };
  return { status: 200, body };
}

function lastIn(keep: Keep, channel: string): { last_message_id: string | null } {
  const last = keep.all
    .filter(({ channel_id }) => channel_id === channel)
    .sort(byId)
    .at(-1);
  return { last_message_id: last?.id ?? null };
}

function openDirect(fake: World, keep: Keep, { recipient_id }: { recipient_id: string }): Answer {
  const id = { [bo.id]: fake.direct, [newcomer.id]: fake.newcomersDirect }[recipient_id];
  if (id === undefined) return refused(403, 50_007, "Cannot send messages to this user");
  return { status: 200, body: { ...fake.channels.get(id), ...lastIn(keep, id) } };
}

/** Newest first, and right after a message if one is named. */
function list(keep: Keep, channel: string, query: URLSearchParams): Answer {
  const limit = Number(query.get("limit") ?? 50);
  const after = query.get("after");
  const all = keep.all.filter(({ channel_id }) => channel_id === channel).sort(byId);
  const page = after === null ? all.slice(-limit) : all.filter(({ id }) => BigInt(id) > BigInt(after)).slice(0, limit);
  return { status: 200, body: page.reverse() };
}

const byId = (one: FakeMessage, other: FakeMessage) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1);

function post(fake: World, keep: Keep, channel: string, { body, files }: FakeRequest): Answer {
  const { nonce, enforce_nonce, flags, components, content = "" } = body as Record<string, string>;
  if (content.length > 2_000) return refused(400, 50_035, "Invalid Form Body");
  if (content.trim() === "" && files.length === 0) return refused(400, 50_006, "Cannot send an empty message");
  if (nonce !== undefined && nonce.length > 25) return refused(400, 50_035, "Invalid Form Body");
  const before = nonce !== undefined && enforce_nonce ? keep.nonces.get(nonce) : undefined;
  if (before) return { status: 200, body: { ...before, nonce } };
  const attachments = files.map(({ name, type, size }) => ({
    id: nextId(keep),
    filename: name,
    content_type: type,
    size,
    url: "",
  }));
  const given = { content: content.trim(), attachments, flags, components: components as unknown as unknown[] };
  const message = newMessage(fake, keep, channel, given);
  if (nonce !== undefined) keep.nonces.set(nonce, message);
  // only the answer and the gateway repeat the nonce
  fake.gateway.dispatch("MESSAGE_CREATE", { ...toldBy(fake, message), nonce });
  return { status: 200, body: { ...message, nonce } };
}

function change(fake: World, keep: Keep, channel: string, messageId: string, wish: FakeRequest): Answer {
  const message = keep.all.find(({ id, channel_id }) => id === messageId && channel_id === channel);
  if (!message) return refused(404, 10_008, "Unknown Message");
  if (wish.path.includes("/reactions/")) return { status: 204 };
  if (wish.method === "DELETE") {
    keep.all.splice(keep.all.indexOf(message), 1);
    return { status: 204 };
  }
  if (message.author.id !== fake.me.id) return refused(403, 50_005, "Cannot edit a message authored by another user");
  Object.assign(message, wish.body);
  return { status: 200, body: message };
}

function refused(status: number, code: number, message: string): Answer {
  return { status, body: { message, code } };
}

function reply(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  if (status === 204) return void response.writeHead(204, headers).end();
  const isText = typeof body === "string";
  response.writeHead(status, { "content-type": isText ? "text/html" : "application/json", ...headers });
  response.end(isText ? body : JSON.stringify(body ?? { message: `${status}`, code: 0 }));
}
