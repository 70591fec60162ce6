import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Refusal } from "./refusal.ts";

type Headers = Readonly<Record<string, string>>;

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types lit-html dompurify steward",
].join("; ");
const answerPolicy = "default-src 'none'; sandbox; frame-ancestors 'none'";
const pieceBytes = 64 * 1024;

/** Headers of every answer. `page`: what the browser may run and load (XSS, clickjacking); anything else may do nothing at all. */
export function setCommonHeaders(response: ServerResponse, kind: "page" | "answer", strictTransport: boolean): void {
  response.setHeader("Content-Security-Policy", kind === "page" ? pagePolicy : answerPolicy);
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("X-Frame-Options", "DENY");
  response.setHeader("Referrer-Policy", "no-referrer");
  response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
  response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  response.setHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
  if (kind === "answer") response.setHeader("Cache-Control", "no-store");
  if (strictTransport) response.setHeader("Strict-Transport-Security", "max-age=31536000");
}

export function writeRefusal(response: ServerResponse, { status, code, message, headers }: Refusal): void {
  writeJson(response, status, { error: { code, message } }, headers);
}

/** The answer to a WebSocket that is not opened: nothing was upgraded yet, so this is still HTTP. */
export function refuseUpgrade(socket: Duplex, { status, code, message, headers = {} }: Refusal): void {
  const body = JSON.stringify({ error: { code, message } });
  socket.on("error", () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${status} Refused`,
      "Connection: close",
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      "",
      body,
    ].join("\r\n"),
  );
}

export function writeJson(response: ServerResponse, status: number, body: unknown, headers: Headers = {}): void {
  if (body === undefined) response.removeHeader("Content-Type");
  response.writeHead(status, headers);
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

/** Piece by piece as the client reads, so that one who does not read is seen not to. */
export async function writeBytes(
  response: ServerResponse,
  status: number,
  bytes: Uint8Array,
  headers: Headers,
): Promise<void> {
  response.writeHead(status, { "Content-Length": bytes.length, ...headers });
  const headOnly = response.req.method === "HEAD";
  for (let at = 0; at < bytes.length && !headOnly && !response.destroyed; at += pieceBytes) {
    if (!response.write(bytes.subarray(at, at + pieceBytes))) await drained(response);
  }
  response.end();
}

async function drained(response: ServerResponse): Promise<void> {
  const heard = new AbortController();
  const { signal } = heard;
  // a client that goes away reads no more, and its own listener has seen it
  const first = Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
  await first.finally(() => heard.abort());
}
