// Everything an attacker can listen with: HTTP, plain connections, datagrams, and the name server of the whole network.
import { createSocket, type Socket as Datagrams } from "node:dgram";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type Server } from "node:net";
import { text } from "node:stream/consumers";
import { answerAt, isPageLoad } from "./attacker-site.ts";
import type { Heard } from "./heard.ts";
import { answerQuery, askedName } from "./name-query.ts";
import { askedServer } from "./server-name.ts";

const httpPorts = [80, 3000, 8000, 8080];
/** TLS is among them: what stands before the handshake (the server's name) is what a stranger hears. */
const plainPorts = [21, 22, 25, 443, 1080, 3128, 4444, 5432, 6667, 8443, 9418];
const datagramPorts = [123, 443, 514, 4444, 5353];
export const searchPort = 8888;

export type AttackerServers = { heard: Heard[] };

/** Listens at every address of the network namespace, which leads all addresses here. */
export async function openAttackerServers(): Promise<AttackerServers> {
  const heard: Heard[] = [];
  const hear = (kind: Heard["kind"], says: string, raw: string) =>
    void heard.push({ kind, says, raw, atMs: performance.now() });

  for (const port of httpPorts) await listen(webServer(hear), port);
  await listen(searchServer(hear), searchPort);
  for (const port of [...plainPorts, 53]) await listen(plainServer(hear), port);
  for (const port of datagramPorts) await bind(hearDatagrams(hear), port);
  await bind(nameServer(hear), 53);
  return { heard };
}

type Hear = (kind: Heard["kind"], says: string, raw: string) => void;

function webServer(hear: Hear): Server {
  const server = createHttpServer((request, response) => void serve(request, response));
  server.on("clientError", (cause: Error & { rawPacket?: Buffer }, socket) => {
    const bytes = cause.rawPacket?.toString("latin1") ?? cause.message;
    hear("tcp", bytes, bytes);
    socket.destroy();
  });
  server.on("connect", (request, socket) => {
    hear("tcp", request.url ?? "", rawOf(request, ""));
    socket.destroy();
  });
  return server;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = `http://${request.headers.host}${request.url}`;
    const body = await text(request);
    const isPlain = request.method === "GET" && body === "";
    hear(isPageLoad(address) ? "page load" : "http", isPlain ? address : rawOf(request, body), rawOf(request, body));
    const answer = answerAt(address);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }
}

/** A SearXNG that somebody else runs: whatever is searched for has left. */
function searchServer(hear: Hear): Server {
  return createHttpServer((request, response) => {
    const query = new URL(request.url ?? "/", "http://search").searchParams.get("q") ?? "";
    hear("search", query, rawOf(request, ""));
    const results = [{ title: "A page", url: "http://evil.com/found", content: "Something about it." }];
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results }));
  });
}

function plainServer(hear: Hear): Server {
  return createTcpServer((socket) => {
    const came: Buffer[] = [];
    socket.on("data", (bytes: Buffer) => {
      came.push(bytes);
      // nobody here has a certificate
      if (askedServer(bytes) !== undefined) socket.destroy();
    });
    socket.on("close", () => {
      const all = Buffer.concat(came);
      const server = askedServer(all);
      const text = all.toString("latin1");
      if (server === undefined) hear("tcp", text || "(a connection)", text);
      else hear("tls", server, text);
    });
    // a peer that resets the connection has been heard all the same
    socket.on("error", () => socket.destroy());
    socket.setTimeout(1_000, () => socket.destroy());
  });
}

function hearDatagrams(hear: Hear): Datagrams {
  const socket = createSocket("udp4");
  socket.on("message", (bytes) => hear("udp", bytes.toString("latin1"), bytes.toString("latin1")));
  return socket;
}

function nameServer(hear: Hear): Datagrams {
  const socket = createSocket("udp4");
  socket.on("message", (bytes, peer) => {
    const name = askedName(bytes);
    hear("dns", name, bytes.toString("latin1"));
    socket.send(answerQuery(bytes, name), peer.port, peer.address);
  });
  return socket;
}

function rawOf(request: IncomingMessage, body: string): string {
  return [`${request.method} ${request.url}`, ...request.rawHeaders, body].join("\n");
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => server.once("error", reject).listen(port, "0.0.0.0", resolve));
}

function bind(socket: Datagrams, port: number): Promise<void> {
  return new Promise((resolve) => socket.bind(port, "0.0.0.0", resolve));
}
