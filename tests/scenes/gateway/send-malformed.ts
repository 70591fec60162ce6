// Sends what must be refused, and tells what came back: a status, an answer, or the end of the connection.
import { Agent, request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { WebSocket } from "ws";
import { webSocketFrame } from "../../corpora/malformed-bytes.ts";
import type { HttpInput } from "../../corpora/malformed-http.ts";

const patienceMs = 10_000;
const quietMs = 40;
const textFrame = 129;

export type Sent = { status: number; text: string };

/** Sound HTTP; several requests share a connection, as a browser's do. */
export function openRequests(port: number): { send(input: HttpInput): Promise<Sent>; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const send = ({ method, path, headers, body }: HttpInput): Promise<Sent> =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
      const options = { host: "127.0.0.1", port, agent, method, path, headers: { ...length, ...headers } };
      const request = httpRequest(options, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece) => {
          text += piece;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
        response.on("error", reject);
      });
      request.setTimeout(patienceMs, () => request.destroy(new Error(`no answer to ${method} ${path}`)));
      request.on("error", reject);
      request.end(body);
    });
  return { send, close: () => agent.destroy() };
}

export type RawAnswer = { statuses: readonly number[]; end: "closed" | "open" | "hung" };

/** Exactly these bytes on a connection of their own. A side that only waits for more is told that there is no more. */
export function sendRaw(port: number, bytes: string | Buffer): Promise<RawAnswer> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes, typeof bytes === "string" ? "latin1" : undefined);
  let text = "";
  return new Promise((resolve) => {
    const finish = (end: RawAnswer["end"]) => {
      clearTimeout(quiet);
      clearTimeout(patience);
      socket.destroy();
      resolve({ statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)), end });
    };
    const patience = setTimeout(() => finish("hung"), patienceMs);
    let quiet = setTimeout(() => socket.end(), quietMs * 5);
    socket.on("data", (piece: Buffer) => {
      text += piece.toString("latin1");
      clearTimeout(quiet);
      quiet = setTimeout(() => finish("open"), quietMs);
    });
    // a reset is one way of being turned away
    socket.on("error", () => undefined);
    socket.on("close", () => finish("closed"));
  });
}

/** A WebSocket drawn by hand that breaks the protocol, before it was let in or after. */
export async function breakWebSocket(
  port: number,
  token: string | undefined,
  bytes: Buffer,
): Promise<"closed" | "hung"> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  const closed = new Promise<"closed">((resolve) => socket.once("close", () => resolve("closed")));
  const headers = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"];
  const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
  socket.write(["GET /ws HTTP/1.1", `Host: 127.0.0.1:${port}`, ...headers, key, "", ""].join("\r\n"));
  await heard(socket, "101");
  if (token !== undefined) {
    socket.write(webSocketFrame({ first: textFrame, payload: Buffer.from(JSON.stringify({ type: "auth", token })) }));
    await heard(socket, '"ok":true');
  }
  socket.write(bytes);
  // a frame that ends before its end is cut off when the connection is
  if (bytes.length < 2) socket.end();
  const patience = setTimeout(() => socket.destroy(), patienceMs);
  const startedMs = Date.now();
  socket.resume();
  const end = await closed;
  clearTimeout(patience);
  return Date.now() - startedMs < patienceMs ? end : "hung";
}

function heard(socket: Socket, words: string): Promise<void> {
  let text = "";
  return new Promise((resolve, reject) => {
    const take = (piece: Buffer) => {
      text += piece.toString("latin1");
      if (!text.includes(words)) return;
      socket.off("data", take);
      resolve();
    };
    socket.on("data", take);
    socket.once("close", () => reject(new Error(`closed before ${words} came: ${text}`)));
  });
}

export type Answer = {
  id?: unknown;
  result?: unknown;
  error?: { code: number; message: string; data: { reason: string } };
};

/** A client that has been let in and takes each frame's answer, or the end of the connection, as it comes. */
export type Line = { send(frame: string | Buffer): void; next(): Promise<Answer | { closed: number }>; close(): void };

export async function openLine(port: number, token: string): Promise<Line> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  const came: (Answer | { closed: number })[] = [];
  const waiting: ((answer: Answer | { closed: number }) => void)[] = [];
  const take = (answer: Answer | { closed: number }) => {
    const next = waiting.shift();
    if (next) next(answer);
    else came.push(answer);
  };
  socket.on("message", (data) => take(JSON.parse(String(data))));
  socket.on("close", (code) => take({ closed: code }));
  // a socket that breaks is seen by its close
  socket.on("error", () => undefined);
  const next = () => {
    const first = came.shift();
    return first
      ? Promise.resolve(first)
      : new Promise<Answer | { closed: number }>((resolve) => waiting.push(resolve));
  };
  await new Promise((resolve) => socket.once("open", resolve));
  socket.send(JSON.stringify({ type: "auth", token, events: "none" }));
  await next();
  return { send: (frame) => socket.send(frame), next, close: () => socket.terminate() };
}
