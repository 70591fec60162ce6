import { Failure } from "../../contract/failure.ts";
import type { AccessToken } from "../../contract/wire/access.ts";
import { type Caller, owner } from "../../contract/wire/caller.ts";
import { addressGroup } from "./address-group.ts";
import { hashSecret, sameHash } from "./secret.ts";

export const environmentTokenId = "environment";
const minLength = 32;
const maxAddresses = 1_000;

/** The owner's token that a person chose and put into STEWARD_GATEWAY_TOKEN; it lasts as long as it stands there. */
export function openEnvironmentToken(token: string | undefined, nowMs: number) {
  if (token === undefined || token === "") return undefined;
  if (token.length < minLength)
    throw new Failure(
      `STEWARD_GATEWAY_TOKEN has ${token.length} characters; at least ${minLength} are needed, because it opens everything. "openssl rand -base64 32" makes a good one.`,
    );
  const ownHash = hashSecret(token);
  const seenFrom = new Set<string>();
  const place = { id: environmentTokenId, name: "STEWARD_GATEWAY_TOKEN" };
  const record: AccessToken = { ...place, scope: "owner", kind: "token", createdAtMs: nowMs };
  return {
    /** `blocked`: too many wrong tokens came from this address, so only an address that has shown it before may. */
    recognise(hash: string, from: string, blocked: boolean): Caller | undefined {
      const right = sameHash(hash, ownHash);
      // a person's choice can be guessed, unlike ours, so guessing must not go on while the address is blocked
      if (!right || (blocked && !seenFrom.has(addressGroup(from)))) return undefined;
      if (seenFrom.size < maxAddresses) seenFrom.add(addressGroup(from));
      return { ...owner, tokenId: environmentTokenId };
    },
    record,
  };
}
