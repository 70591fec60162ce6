// Commands' way out: a proxy on a Unix socket that lets through what is on the list, to addresses that the guard has
// checked, and adds credentials that the command itself never sees.
import { chmodSync, chownSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { UserIds } from "../programs/workspace-owner.ts";
import { isAllowedHost } from "./allow-list.ts";

export type CheckedAddress = { ok: true; address: string } | { ok: false; reason: string };

export type EgressDeps = {
  /** At most 107 bytes: the kernel takes no longer path for a socket. */
  socketPath: string;
  allow: readonly string[];
  resolveChecked(host: string, port: number, signal: AbortSignal): Promise<CheckedAddress>;
  /** Headers added to plain HTTP requests by host. HTTPS is a tunnel that nobody between can write into. */
  credentials: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Whom the socket belongs to, where commands run as another user than Steward. */
  user?: UserIds;
  onDecision?(decision: { host: string; port: number; allowed: boolean; reason: string }): void;
};

export type EgressProxy = { socketPath: string; close(): Promise<void> };

type Target = { host: string; port: number };
type Verdict = { allowed: true; address: string } | { allowed: false; reason: string };

const maxSocketPathBytes = 107;
const connectTimeoutMs = 15_000;
const idleTimeoutMs = 120_000;
const hopHeaders = ["connection", "proxy-connection", "proxy-authorization", "keep-alive", "te", "trailer", "upgrade"];

export async function openEgressProxy(deps: EgressDeps): Promise<EgressProxy> {
  if (Buffer.byteLength(deps.socketPath) > maxSocketPathBytes)
    throw new Error(`${deps.socketPath} is too long for a socket: at most ${maxSocketPathBytes} bytes`);
  const open = new Set<Duplex>();
  const server = createServer((incoming, answer) => {
    // whatever a command or a server made of its words, it ends this one request and not the program
    forward(deps, incoming, answer).catch(() => answer.destroy());
  });
  server.on("connect", (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    keep(open, client);
    const opened = (upstream: Socket) => keep(open, upstream);
    tunnel(deps, incoming.url ?? "", client, head, opened).catch(() => client.destroy());
  });
  server.on("clientError", (_error, client) => client.destroy());
  rmSync(deps.socketPath, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(deps.socketPath, resolve);
  });
  chmodSync(deps.socketPath, 0o600);
  if (deps.user) chownSync(deps.socketPath, deps.user.uid, deps.user.gid);
  return { socketPath: deps.socketPath, close };

  async function close(): Promise<void> {
    for (const stream of open) stream.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function judge(deps: EgressDeps, target: Target): Promise<Verdict> {
  const verdict = await decide(deps, target);
  deps.onDecision?.({
    ...target,
    allowed: verdict.allowed,
    reason: verdict.allowed ? verdict.address : verdict.reason,
  });
  return verdict;
}

async function decide(deps: EgressDeps, { host, port }: Target): Promise<Verdict> {
  if (!isAllowedHost(deps.allow, host))
    return { allowed: false, reason: `${host} is not on the list of hosts that commands may reach` };
  try {
    const checked = await deps.resolveChecked(host, port, AbortSignal.timeout(connectTimeoutMs));
    return checked.ok ? { allowed: true, address: checked.address } : { allowed: false, reason: checked.reason };
  } catch (error) {
    return { allowed: false, reason: `${host} could not be looked up: ${messageOf(error)}` };
  }
}

async function tunnel(
  deps: EgressDeps,
  authority: string,
  client: Duplex,
  head: Buffer,
  opened: (upstream: Socket) => void,
): Promise<void> {
  // the client may go away at any moment; its end is then the tunnel's end
  client.on("error", () => client.destroy());
  const target = readAuthority(authority);
  if (!target) return refuse(client, 400, "CONNECT needs host:port");
  const verdict = await judge(deps, target);
  if (!verdict.allowed) return refuse(client, 403, verdict.reason);
  const upstream = connect({ host: verdict.address, port: target.port, timeout: connectTimeoutMs });
  opened(upstream);
  upstream.once("connect", () => {
    upstream.setTimeout(idleTimeoutMs);
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) upstream.write(head);
    upstream.pipe(client).pipe(upstream);
  });
  upstream.once("timeout", () => upstream.destroy(new Error("no answer in time")));
  upstream.once("error", (error) => {
    if (upstream.bytesRead === 0 && client.writable) refuse(client, 502, `${target.host}: ${error.message}`);
    else client.destroy();
  });
  client.once("close", () => upstream.destroy());
}

async function forward(deps: EgressDeps, incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
  const url = readUrl(incoming.url ?? "");
  if (!url) return reply(answer, 400, "this proxy takes CONNECT and absolute http:// addresses");
  const target = { host: url.hostname, port: Number(url.port || 80) };
  const verdict = await judge(deps, target);
  if (!verdict.allowed) return reply(answer, 403, verdict.reason);
  const upstream = request({
    host: verdict.address,
    port: target.port,
    method: incoming.method,
    path: url.pathname + url.search,
    headers: { ...endToEnd(incoming.headers), ...credentialsFor(deps, target.host), host: url.host },
    timeout: idleTimeoutMs,
    agent: false,
  });
  upstream.once("response", (response) => passOn(response, answer, target.host));
  upstream.once("timeout", () => upstream.destroy(new Error("no answer in time")));
  upstream.once("error", (error) => (answer.headersSent ? answer.destroy() : reply(answer, 502, error.message)));
  // a server that wants to speak another protocol is hung up on without an error
  upstream.once("close", () => answer.headersSent || reply(answer, 502, `${target.host} gave no answer`));
  answer.once("close", () => upstream.destroy());
  incoming.pipe(upstream);
}

function passOn(response: IncomingMessage, answer: ServerResponse, host: string): void {
  const status = response.statusCode ?? 0;
  // one that HTTP does not know cannot be passed on
  if (status < 200 || status > 599) {
    response.destroy();
    reply(answer, 502, `${host} answered with the impossible status ${status}`);
    return;
  }
  answer.writeHead(status, endToEnd(response.headers));
  response.pipe(answer);
  response.once("error", () => answer.destroy());
}

function readAuthority(authority: string): Target | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:/@\s]+)):(\d{1,5})$/i.exec(authority);
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  return host && port > 0 && port < 65_536 ? { host, port } : undefined;
}

function readUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "http:" && url.username === "" && url.password === "" ? url : undefined;
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopHeaders.includes(name)));
}

function credentialsFor(deps: EgressDeps, host: string): Record<string, string> {
  const given = Object.entries(deps.credentials).find(([name]) => name.toLowerCase() === host.toLowerCase())?.[1] ?? {};
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
}

function reply(answer: ServerResponse, status: number, reason: string): void {
  answer.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  answer.end(`${reason}\n`);
}

const statusWords: Record<number, string> = { 400: "Bad Request", 403: "Forbidden", 502: "Bad Gateway" };

function refuse(client: Duplex, status: number, reason: string): void {
  const body = `${reason}\n`;
  client.end(
    `HTTP/1.1 ${status} ${statusWords[status]}\r\ncontent-type: text/plain; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function keep(open: Set<Duplex>, stream: Duplex): void {
  open.add(stream);
  stream.once("close", () => open.delete(stream));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
