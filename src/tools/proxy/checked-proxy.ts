// The one way out for the browser and for commands: plain requests and tunnels come in, and go where their client may go.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { ListenOptions } from "node:net";
import type { Duplex } from "node:stream";
import { type CheckedAddress, type Reached, reachChecked, type Target } from "./reach-checked.ts";

/** `isRefused`: by us; else it was not to be reached. */
export type Refused = { url: string; reason: string; isRefused: boolean };

export type ProxyClient = {
  /** Where a connection may go, judged and looked up for this very one. */
  check(target: Target, signal: AbortSignal): Promise<CheckedAddress>;
  /** Added to plain requests only: HTTPS is a tunnel that nobody between can write into. */
  headersFor?(host: string): Readonly<Record<string, string>>;
  onRefused?(refused: Refused): void;
};

export type ProxyDeps = {
  /** Who is asking; undefined: nobody we know, who is asked for a pass. */
  clientOf(incoming: IncomingMessage): ProxyClient | undefined;
  /** Whether a refusal holds its reason. A browser would show words of ours under a foreign address. */
  saysWhy: boolean;
};

export type CheckedProxy = { server: Server; close(): Promise<void> };

const idleTimeoutMs = 120_000;
// a server answers these with the request itself, and so with the credentials that were added to it
const echoing = /^(?:TRACE|TRACK|DEBUG)$/i;
const hopHeaders = ["connection", "proxy-connection", "proxy-authorization", "keep-alive", "te", "trailer", "upgrade"];

export async function openCheckedProxy(deps: ProxyDeps, place: ListenOptions): Promise<CheckedProxy> {
  const open = new Set<Duplex>();
  const server = createServer((incoming, answer) => {
    // whatever a program or a server made of its words, it ends this one request and not the proxy
    forward(deps, incoming, answer).catch(() => answer.destroy());
  });
  server.on("connect", (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    keep(client);
    tunnel(deps, { incoming, client, head, keep }).catch(() => client.destroy());
  });
  server.on("clientError", (_error, client) => client.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(place, resolve);
  });
  return { server, close };

  function keep(stream: Duplex): void {
    open.add(stream);
    stream.once("close", () => open.delete(stream));
  }

  async function close(): Promise<void> {
    for (const stream of open) stream.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function forward(deps: ProxyDeps, incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
  const reply = replyTo(deps, answer);
  const client = deps.clientOf(incoming);
  if (!client) return reply(407, "a pass is needed");
  const url = readUrl(incoming.url ?? "");
  if (!url) return reply(400, "this proxy takes CONNECT and absolute http:// addresses");
  if (echoing.test(incoming.method ?? "")) return reply(405, `${incoming.method} is not passed on`);
  const target = { url: url.href, host: url.hostname, port: Number(url.port || 80) };
  const reached = await reach(client, target);
  if (!reached.ok) return reply(reached.status, reached.reason);
  const upstream = request({
    createConnection: () => reached.socket,
    method: incoming.method,
    path: url.pathname + url.search,
    headers: {
      ...endToEnd(incoming.headers),
      ...client.headersFor?.(target.host),
      host: url.host,
      connection: "close",
    },
    timeout: idleTimeoutMs,
  });
  upstream.once("response", (response) => passOn(response, answer, reply));
  upstream.once("timeout", () => upstream.destroy(new Error("no answer in time")));
  upstream.once("error", (error) => fail(`the connection broke: ${error.message}`));
  // a server that wants to speak another protocol is hung up on without an error
  upstream.once("close", () => answer.headersSent || fail(`${target.host} gave no answer`));
  answer.once("close", () => upstream.destroy());
  incoming.pipe(upstream);

  function fail(reason: string): void {
    // a program that has gone breaks off what it had asked for, which is nobody's failure
    if (answer.headersSent || answer.destroyed) return void answer.destroy();
    reply(502, reason);
    client?.onRefused?.({ url: target.url, reason, isRefused: false });
  }
}

type Reply = (status: number, reason: string) => void;

function passOn(response: IncomingMessage, answer: ServerResponse, reply: Reply): void {
  const status = response.statusCode ?? 0;
  // only we may ask for the pass, and a status that HTTP does not know cannot be passed on
  if (status < 200 || status > 599 || status === 407) {
    response.destroy();
    reply(502, `the server answered with the impossible status ${status}`);
    return;
  }
  answer.writeHead(status, endToEnd(response.headers));
  response.pipe(answer);
  response.once("error", () => answer.destroy());
}

type Tunnel = { incoming: IncomingMessage; client: Duplex; head: Buffer; keep(stream: Duplex): void };

async function tunnel(deps: ProxyDeps, { incoming, client, head, keep }: Tunnel): Promise<void> {
  // the program may go away at any moment; its end is then the tunnel's end
  client.on("error", () => client.destroy());
  const asking = deps.clientOf(incoming);
  if (!asking) return refuse(407, "a pass is needed");
  const target = readAuthority(incoming.url ?? "");
  if (!target) return refuse(400, "CONNECT needs host:port");
  const reached = await reach(asking, target);
  if (!reached.ok) return refuse(reached.status, reached.reason);
  const { socket } = reached;
  keep(socket);
  socket.setTimeout(idleTimeoutMs, () => socket.destroy());
  socket.once("error", () => client.destroy());
  client.once("close", () => socket.destroy());
  if (client.destroyed) return void socket.destroy();
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  if (head.length > 0) socket.write(head);
  socket.pipe(client).pipe(socket);

  function refuse(status: number, reason: string): void {
    const { headers, body } = refusal(deps, status, reason);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    client.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
  }
}

async function reach(client: ProxyClient, target: Target): Promise<Reached> {
  const reached = await reachChecked(client.check, target);
  if (!reached.ok) client.onRefused?.({ url: target.url, reason: reached.reason, isRefused: reached.status === 403 });
  return reached;
}

function replyTo(deps: ProxyDeps, answer: ServerResponse): Reply {
  return (status, reason) => {
    const { headers, body } = refusal(deps, status, reason);
    answer.writeHead(status, headers);
    answer.end(body);
  };
}

function refusal(deps: ProxyDeps, status: number, reason: string) {
  const body = deps.saysWhy ? `${reason}\n` : "";
  const headers = {
    ...(deps.saysWhy && { "content-type": "text/plain; charset=utf-8" }),
    ...(status === 407 && { "proxy-authenticate": 'Basic realm="steward"' }),
    "content-length": Buffer.byteLength(body),
    connection: "close",
  };
  return { headers, body };
}

function readAuthority(authority: string): Target | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:/@\s]+)):(\d{1,5})$/i.exec(authority);
  const url = match ? URL.parse(`https://${authority}/`) : null;
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  return url && host && port > 0 ? { url: url.href, host, port } : undefined;
}

function readUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url?.protocol === "http:" && url.username === "" && url.password === "" ? url : undefined;
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopHeaders.includes(name)));
}
