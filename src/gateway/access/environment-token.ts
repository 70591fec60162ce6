import { Failure } from "../../contract/failure.ts";
import type { AccessToken } from "../../contract/wire/access.ts";
import type { Caller } from "../../contract/wire/caller.ts";
import { addressGroup } from "./address-group.ts";
import { hashSecret, sameHash } from "./secret.ts";

/** The owner's token that a person chose and put into STEWARD_GATEWAY_TOKEN; it lasts as long as it stands there. */
export type EnvironmentToken = {
  /** `blocked`: too many wrong tokens came from this address, so only an address that has shown it before may. */
  recognise(hash: string, from: string, blocked: boolean): Caller | undefined;
  record: AccessToken;
};

export const environmentTokenId = "environment";
const minLength = 32;
const maxAddresses = 1_000;

export function openEnvironmentToken(token: string | undefined, nowMs: number): EnvironmentToken | undefined {
  if (token === undefined || token === "") return undefined;
  if (token.length < minLength)
    throw new Failure(
      `STEWARD_GATEWAY_TOKEN has ${token.length} characters; at least ${minLength} are needed, because it opens everything. "openssl rand -base64 32" makes a good one.`,
    );
  const ownHash = hashSecret(token);
  const seenFrom = new Set<string>();
  return {
    recognise(hash, from, blocked) {
      const right = sameHash(hash, ownHash);
      // a person's choice can be guessed, unlike ours, so guessing must not go on while the address is blocked
      if (!right || (blocked && !seenFrom.has(addressGroup(from)))) return undefined;
      if (seenFrom.size < maxAddresses) seenFrom.add(addressGroup(from));
      return { sender: { kind: "owner", id: "owner" }, scope: "owner", tokenId: environmentTokenId };
    },
    record: {
      id: environmentTokenId,
      name: "STEWARD_GATEWAY_TOKEN",
      scope: "owner",
      kind: "token",
      createdAtMs: nowMs,
    },
  };
}
