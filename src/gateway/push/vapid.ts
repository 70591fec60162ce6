// How a push service knows that the same Steward sends again (RFC 8292): a token signed for each service.
import { createPrivateKey, sign } from "node:crypto";
import type { PushKeys } from "./push-keys.ts";

const validForSeconds = 12 * 3600;

/** The Authorization header for one push service. */
export function vapidHeader(deps: { keys: PushKeys; contact: string; nowMs(): number }, endpoint: string): string {
  const expires = Math.floor(deps.nowMs() / 1000) + validForSeconds;
  const claims = { aud: new URL(endpoint).origin, exp: expires, sub: deps.contact };
  const unsigned = `${encode({ typ: "JWT", alg: "ES256" })}.${encode(claims)}`;
  const key = createPrivateKey({ key: deps.keys.privateJwk, format: "jwk" });
  const signature = sign("sha256", Buffer.from(unsigned), { key, dsaEncoding: "ieee-p1363" });
  return `vapid t=${unsigned}.${signature.toString("base64url")}, k=${deps.keys.publicKey}`;
}

function encode(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
