// One message to one browser, by way of the push service the browser named. The address guard stands in between.
import { createHash, createPrivateKey, randomBytes, sign } from "node:crypto";
import { readRetryAfter } from "../../contract/retry-after.ts";
import type { PushSubscription } from "../../contract/wire/methods/push.ts";
import type { FetchOutcome, FetchRequest } from "../../guard/address/fetch-outcome.ts";
import { encryptMessage, newMessageKey } from "./encrypt-message.ts";
import type { PushKeys } from "./push-keys.ts";

/** What the page's worker shows; a later one with the same tag takes the place of the earlier. */
export type Notification = { title: string; body: string; url: string; tag: string };

type PushMessage = { notification: Notification; ttlSeconds: number; signal: AbortSignal };

export type PushOutcome = { kind: "sent" } | { kind: "gone" } | { kind: "failed"; reason: string };

export type SendPushDeps = {
  /** Refuses private addresses: the endpoint is whatever a client said it is (SSRF). */
  fetch(request: FetchRequest): Promise<FetchOutcome>;
  keys(): Promise<PushKeys>;
  /** Whom the push service may write to about this sender: a `mailto:` or `https:` address. */
  contact: string;
  nowMs(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};

const limits = { maxBytes: 64 * 1024, timeoutMs: 15_000, maxRedirects: 0, maxDecompressionRatio: 10 };
const maxAttempts = 3;
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
const tokenLastsSeconds = 12 * 3600;

type Attempt = PushOutcome | { kind: "again"; reason: string; afterMs: number | undefined };

export async function sendPush(
  deps: SendPushDeps,
  subscription: PushSubscription,
  message: PushMessage,
): Promise<PushOutcome> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await trySend(deps, subscription, message);
    if (outcome.kind !== "again") return outcome;
    if (attempt === maxAttempts || message.signal.aborted) return { kind: "failed", reason: outcome.reason };
    const pauseMs = outcome.afterMs ?? firstPauseMs * 4 ** (attempt - 1);
    await deps.sleep(Math.min(pauseMs, longestPauseMs), message.signal);
  }
}

async function trySend(
  deps: SendPushDeps,
  { endpoint, keys }: PushSubscription,
  { notification, ttlSeconds, signal }: PushMessage,
): Promise<Attempt> {
  const body = encryptMessage(
    { ...keys, ownPrivateKey: newMessageKey(), salt: randomBytes(16) },
    Buffer.from(JSON.stringify(notification)),
  );
  const headers = {
    authorization: vapidHeader({ ...deps, keys: await deps.keys() }, endpoint),
    "content-encoding": "aes128gcm",
    "content-type": "application/octet-stream",
    ttl: String(ttlSeconds),
    urgency: "high",
    topic: topicOf(notification.tag),
  };
  return readOutcome(deps, await deps.fetch({ url: endpoint, method: "POST", headers, body, signal, limits }));
}

/** How a push service knows that the same Steward sends again (VAPID, RFC 8292): a token signed for each service. */
function vapidHeader(deps: { keys: PushKeys; contact: string; nowMs(): number }, endpoint: string): string {
  const expires = Math.floor(deps.nowMs() / 1000) + tokenLastsSeconds;
  const claims = { aud: new URL(endpoint).origin, exp: expires, sub: deps.contact };
  const unsigned = `${encode({ typ: "JWT", alg: "ES256" })}.${encode(claims)}`;
  const key = createPrivateKey({ key: deps.keys.privateJwk, format: "jwk" });
  const signature = sign("sha256", Buffer.from(unsigned), { key, dsaEncoding: "ieee-p1363" });
  return `vapid t=${unsigned}.${signature.toString("base64url")}, k=${deps.keys.publicKey}`;
}

function encode(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

function readOutcome(deps: { nowMs(): number }, outcome: FetchOutcome): Attempt {
  if (outcome.kind === "refused") return { kind: "failed", reason: outcome.reason };
  if (outcome.kind === "failed") return { kind: "again", reason: outcome.reason, afterMs: undefined };
  const { status, headers } = outcome;
  if (status >= 200 && status < 300) return { kind: "sent" };
  if (status === 404 || status === 410) return { kind: "gone" };
  const reason = `the push service answered ${status}`;
  if (status !== 429 && status < 500) return { kind: "failed", reason };
  return { kind: "again", reason, afterMs: readRetryAfter(headers["retry-after"], deps.nowMs()) };
}

/** A waiting message with the same topic is replaced by the service; at most 32 characters may name it. */
function topicOf(tag: string): string {
  return createHash("sha256").update(tag).digest("base64url").slice(0, 32);
}
