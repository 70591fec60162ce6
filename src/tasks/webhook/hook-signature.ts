// Signatures by the Standard Webhooks rules: HMAC-SHA256 over `id.timestamp.body`, several may be given while keys change.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

// an old request is refused, and a repeated one is known by its id (replay)
const toleranceSeconds = 5 * 60;
const maxSignatures = 10;

export type SignedRequest = { headers: IncomingHttpHeaders; body: Uint8Array; nowMs: number };

/** The delivery's own id when everything fits, undefined when anything does not; takes as long either way. */
export function verifySignature(secret: string, request: SignedRequest): string | undefined {
  const id = readDeliveryId(request.headers);
  const timestamp = String(request.headers["webhook-timestamp"] ?? "");
  const signatures = String(request.headers["webhook-signature"] ?? "").split(" ");
  const expected = createHmac("sha256", keyOf(secret))
    .update(`${id ?? ""}.${timestamp}.`)
    .update(request.body)
    .digest();
  // every one is compared, so that time does not tell which was nearest (timing attack)
  const matching = signatures.slice(0, maxSignatures).filter((signature) => isSame(signature, expected)).length;
  const inTime = isInTime(timestamp, request.nowMs);
  return matching > 0 && inTime ? id : undefined;
}

/** A dot inside would let the same signature mean another id, so such an id is none. */
export function readDeliveryId(headers: IncomingHttpHeaders): string | undefined {
  const id = String(headers["webhook-id"] ?? "");
  return /^[\x21-\x2d\x2f-\x7e]{1,128}$/.test(id) ? id : undefined;
}

function isInTime(timestamp: string, nowMs: number): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  return Math.abs(Number(timestamp) - nowMs / 1000) <= toleranceSeconds;
}

function isSame(signature: string, expected: Buffer): boolean {
  const [, encoded] = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(signature) ?? [];
  const given = Buffer.from(encoded ?? "", "base64");
  // compared against itself when the form is wrong, which costs the same and says no
  const fits = given.length === expected.length;
  return timingSafeEqual(fits ? given : expected, expected) && fits;
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ""), "base64");
}
