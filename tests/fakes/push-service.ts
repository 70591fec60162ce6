// A push service on a free loopback port and the browser behind it: checks who sends, opens what was sent, answers as told.
import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { PushSubscription } from "../../src/contract/wire/methods/push.ts";

export type PushAnswer = { status: number; retryAfter?: string };

export type PushDelivery = {
  path: string;
  headers: IncomingMessage["headers"];
  /** What the signed token claims; only there if the signature is right. */
  claims: { aud: string; exp: number; sub: string };
  /** The key that the message was signed with. */
  signedBy: string;
  message: Record<string, unknown>;
};

type Browser = { pair: ECDH; auth: Buffer };

/** Answers 201 unless told otherwise; `answers` are used up one after the other. */
export async function startPushService() {
  const browsers = new Map<string, Browser>();
  const deliveries: PushDelivery[] = [];
  const problems: string[] = [];
  const answers: PushAnswer[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const problem = take(request, Buffer.concat(chunks));
      if (problem) problems.push(problem);
      const { status, retryAfter } = problem ? { status: 400 } : (answers.shift() ?? { status: 201 });
      response.writeHead(status, retryAfter === undefined ? {} : { "retry-after": retryAfter });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  return {
    origin,
    port,
    deliveries,
    problems,
    answers,
    /** What a browser hands to the page when a person allows notifications. */
    subscribe(): PushSubscription {
      const pair = createECDH("prime256v1");
      const browser = { pair, auth: randomBytes(16) };
      const p256dh = pair.generateKeys().toString("base64url");
      const path = `/push/${randomBytes(16).toString("base64url")}`;
      browsers.set(path, browser);
      return {
        endpoint: `${origin}${path}`,
        expirationTime: null,
        keys: { p256dh, auth: browser.auth.toString("base64url") },
      };
    },
  };

  function take(request: IncomingMessage, body: Buffer): string | undefined {
    const path = request.url ?? "";
    const browser = browsers.get(path);
    if (request.method !== "POST" || !browser) return `${request.method} ${path} is no subscription`;
    const { headers } = request;
    if (!/^\d+$/.test(String(headers.ttl))) return "there is no TTL";
    if (headers["content-encoding"] !== "aes128gcm") return "the encoding is not aes128gcm";
    if (!/^[A-Za-z0-9_-]{1,32}$/.test(String(headers.topic))) return "the topic is not base64url of at most 32";
    if (body.length > 4096) return "the body is longer than 4096 bytes";
    const signed = checkVapid(String(headers.authorization), origin);
    if (typeof signed === "string") return signed;
    deliveries.push({ path, headers, ...signed, message: JSON.parse(decrypt(browser, body).toString("utf8")) });
    return undefined;
  }
}

/** RFC 8292: the key, the signature, and for whom and until when it is meant. */
function checkVapid(header: string, origin: string): Pick<PushDelivery, "claims" | "signedBy"> | string {
  const [, token = "", signedBy = ""] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(header) ?? [];
  const [head = "", claimed = "", signature = ""] = token.split(".");
  const point = Buffer.from(signedBy, "base64url");
  if (point.length !== 65 || point[0] !== 4) return `the key of ${header} is no point`;
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const key = createPublicKey({ key: jwk, format: "jwk" });
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${claimed}`),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isSigned) return "the signature is wrong";
  const claims = JSON.parse(Buffer.from(claimed, "base64url").toString("utf8"));
  const leftSeconds = claims.exp - Date.now() / 1000;
  if (claims.aud !== origin) return `it is meant for ${claims.aud}`;
  if (leftSeconds <= 0 || leftSeconds > 86_400) return `it ends in ${leftSeconds} seconds`;
  if (!/^(mailto|https):/.test(claims.sub)) return `nobody can be reached at ${claims.sub}`;
  return { claims, signedBy };
}

/** RFC 8291, from the browser's side. */
function decrypt({ pair, auth }: Browser, body: Buffer): Buffer {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const senderKey = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength, -16);
  const derive = (key: Buffer, with_: Buffer, info: Buffer | string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", key, with_, info, bytes));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), pair.getPublicKey(), senderKey]);
  const secret = derive(pair.computeSecret(senderKey), auth, info, 32);
  const decipher = createDecipheriv(
    "aes-128-gcm",
    derive(secret, salt, "Content-Encoding: aes128gcm\0", 16),
    derive(secret, salt, "Content-Encoding: nonce\0", 12),
  );
  decipher.setAuthTag(body.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed), decipher.final()]);
  const end = padded.lastIndexOf(2);
  return padded.subarray(0, end);
}
