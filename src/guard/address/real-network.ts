import { lookup } from "node:dns/promises";
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { reasonOf } from "../../contract/failure.ts";
import type { Transport, TransportAnswer, TransportRequest } from "./fetch-outcome.ts";

const connectTimeoutMs = 10_000;
const maxHeaderBytes = 32 * 1024;

/** The system's own resolver, so that the hosts file and private name servers are seen and judged too. */
export async function realResolve(host: string): Promise<readonly string[]> {
  const answers = await lookup(host, { all: true });
  return answers.map(({ address }) => address);
}

/** Speaks HTTP to exactly the address it is told; `ca` replaces the public certificate authorities. */
export function openTransport(trust: { ca?: string } = {}): Transport {
  return (request) => new Promise((resolve) => send(request, trust, resolve));
}

function send(request: TransportRequest, trust: { ca?: string }, settle: (answer: TransportAnswer) => void): void {
  let outgoing: ClientRequest;
  try {
    outgoing = openRequest(request, trust);
  } catch (error) {
    settle({ kind: "failed", reason: reasonOf(error) });
    return;
  }
  let isConnected = false;
  const connectTimeout = setTimeout(() => outgoing.destroy(new Error("no connection in time")), connectTimeoutMs);
  outgoing.on("socket", (socket) => {
    socket.once("connect", () => {
      isConnected = true;
      clearTimeout(connectTimeout);
    });
  });
  outgoing.on("response", (response) => settle(readResponse(response)));
  outgoing.on("upgrade", (_response, socket) => {
    socket.destroy();
    settle({ kind: "failed", reason: "the server wants another protocol" });
  });
  outgoing.on("error", (error) => settle({ kind: isConnected ? "failed" : "unreachable", reason: reasonOf(error) }));
  outgoing.on("close", () => {
    clearTimeout(connectTimeout);
    settle({ kind: "failed", reason: "the connection closed without an answer" });
  });
  outgoing.end(request.body);
}

function openRequest(request: TransportRequest, trust: { ca?: string }): ClientRequest {
  const { url, address, host } = request;
  const protocol = url.protocol === "https:" ? https : http;
  return protocol.request({
    // an agent of its own: no proxy from the environment, no connection left over from another check
    agent: new protocol.Agent({ keepAlive: false }),
    host,
    lookup: pinTo(address),
    // server names are for names only; a literal address is matched against the certificate by itself
    servername: isIP(host) ? "" : host,
    // said aloud, because an environment variable could otherwise switch it off
    rejectUnauthorized: true,
    port: request.port,
    path: `${url.pathname}${url.search}`,
    method: request.method,
    headers: { ...request.headers, ...(request.body && { "content-length": String(request.body.length) }) },
    setHost: false,
    maxHeaderSize: maxHeaderBytes,
    signal: request.signal,
    ...trust,
  });
}

function pinTo(address: string): LookupFunction {
  const family = isIP(address);
  return (_host, options, answer) => {
    if (options.all) answer(null, [{ address, family }]);
    else answer(null, address, family);
  };
}

function readResponse(response: IncomingMessage): TransportAnswer {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  // Node reads header bytes as Latin-1, but servers write locations in UTF-8
  if (headers.location !== undefined) headers.location = Buffer.from(headers.location, "latin1").toString("utf8");
  const status = response.statusCode ?? 0;
  return { kind: "answered", status, headers, body: response, discard: () => void response.destroy() };
}
