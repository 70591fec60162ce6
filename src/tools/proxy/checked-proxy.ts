// The browser's only way out: every connection of every frame, worker and socket is checked here by name and address, and
// goes to the address that was checked. A name that later resolves elsewhere gains nothing.
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { CheckAddress } from "./check-address.ts";
import { reachChecked } from "./reach-checked.ts";

/** `isRefused`: by us; else it was not to be reached. */
export type Refused = { url: string; reason: string; isRefused: boolean };

/** What one conversation's pages show at the door; nobody else on the machine can use the proxy. */
export type ProxyPass = { username: string; password: string; revoke(): void };

export type CheckedProxy = {
  port: number;
  admit(onRefused: (refused: Refused) => void): ProxyPass;
  close(): Promise<void>;
};

type Holder = { header: Buffer; onRefused(refused: Refused): void };

const challenge = 'Basic realm="steward"';
const idleTimeoutMs = 120_000;
const hopHeaders = ["connection", "proxy-connection", "proxy-authorization", "keep-alive", "te", "trailer", "upgrade"];

export async function openCheckedProxy(deps: { checkAddress: CheckAddress }): Promise<CheckedProxy> {
  const holders = new Map<string, Holder>();
  const open = new Set<Duplex>();
  const server = createServer((incoming, answer) => {
    // whatever a server made of its answer, it ends this one request and not the program
    forward(deps, holderOf(holders, incoming), incoming, answer).catch(() => answer.destroy());
  });
  server.on("connect", (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    keep(open, client);
    const given = { authority: incoming.url ?? "", client, head, open };
    tunnel(deps, holderOf(holders, incoming), given).catch(() => client.destroy());
  });
  server.on("clientError", (_error, client) => client.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return { port: (server.address() as AddressInfo).port, admit, close };

  function admit(onRefused: (refused: Refused) => void): ProxyPass {
    const username = randomBytes(8).toString("hex");
    const password = randomBytes(24).toString("hex");
    holders.set(username, { header: Buffer.from(basic(username, password)), onRefused });
    return { username, password, revoke: () => void holders.delete(username) };
  }

  async function close(): Promise<void> {
    for (const stream of open) stream.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function holderOf(holders: Map<string, Holder>, incoming: IncomingMessage): Holder | undefined {
  const shown = Buffer.from(incoming.headers["proxy-authorization"] ?? "");
  const [username = ""] = Buffer.from(shown.toString().replace(/^Basic /, ""), "base64")
    .toString()
    .split(":");
  const holder = holders.get(username);
  return holder && holder.header.length === shown.length && timingSafeEqual(holder.header, shown) ? holder : undefined;
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

async function forward(
  deps: { checkAddress: CheckAddress },
  holder: Holder | undefined,
  incoming: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  if (!holder) return reply(answer, 407);
  const url = URL.parse(incoming.url ?? "");
  if (url?.protocol !== "http:") return reply(answer, 400);
  const reached = await reachChecked(deps, { url: url.href, port: Number(url.port || 80) });
  if (!reached.ok) {
    holder.onRefused({ url: url.href, reason: reached.reason, isRefused: reached.status === 403 });
    return reply(answer, reached.status);
  }
  const upstream = request({
    createConnection: () => reached.socket,
    method: incoming.method,
    path: url.pathname + url.search,
    headers: { ...endToEnd(incoming.headers), host: url.host, connection: "close" },
    timeout: idleTimeoutMs,
  });
  upstream.once("response", (response) => passOn(response, answer));
  upstream.once("timeout", () => upstream.destroy(new Error("no answer in time")));
  upstream.once("error", (error) => {
    // a page that was left breaks off what it had asked for, which is nobody's failure
    if (answer.headersSent || answer.destroyed) return void answer.destroy();
    holder.onRefused({ url: url.href, reason: `the connection broke: ${error.message}`, isRefused: false });
    reply(answer, 502);
  });
  answer.once("close", () => upstream.destroy());
  incoming.pipe(upstream);
}

function passOn(response: IncomingMessage, answer: ServerResponse): void {
  const status = response.statusCode ?? 0;
  // only we may ask for the pass, and a status that HTTP does not know cannot be passed on
  if (status < 200 || status > 599 || status === 407) {
    response.destroy();
    reply(answer, 502);
    return;
  }
  answer.writeHead(status, endToEnd(response.headers));
  response.pipe(answer);
  response.once("error", () => answer.destroy());
}

async function tunnel(
  deps: { checkAddress: CheckAddress },
  holder: Holder | undefined,
  given: { authority: string; client: Duplex; head: Buffer; open: Set<Duplex> },
): Promise<void> {
  const { client } = given;
  // the browser may go away at any moment; its end is then the tunnel's end
  client.on("error", () => client.destroy());
  if (!holder) return refuse(client, 407, `proxy-authenticate: ${challenge}\r\n`);
  const url = URL.parse(`https://${given.authority}/`);
  if (!url || !/:\d{1,5}$/.test(given.authority)) return refuse(client, 400);
  const reached = await reachChecked(deps, { url: url.href, port: Number(url.port || 443) });
  if (!reached.ok) {
    holder.onRefused({ url: url.href, reason: reached.reason, isRefused: reached.status === 403 });
    return refuse(client, reached.status);
  }
  const { socket } = reached;
  keep(given.open, socket);
  socket.setTimeout(idleTimeoutMs, () => socket.destroy());
  socket.once("error", () => client.destroy());
  client.once("close", () => socket.destroy());
  if (client.destroyed) return void socket.destroy();
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  if (given.head.length > 0) socket.write(given.head);
  socket.pipe(client).pipe(socket);
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopHeaders.includes(name)));
}

// without a body, so that the browser shows an error of its own and never words of ours under a foreign address
function reply(answer: ServerResponse, status: number): void {
  answer.writeHead(status, { "content-length": 0, ...(status === 407 && { "proxy-authenticate": challenge }) });
  answer.end();
}

function refuse(client: Duplex, status: number, headers = ""): void {
  client.end(`HTTP/1.1 ${status} Refused\r\n${headers}content-length: 0\r\nconnection: close\r\n\r\n`);
}

function keep(open: Set<Duplex>, stream: Duplex): void {
  open.add(stream);
  stream.once("close", () => open.delete(stream));
}
