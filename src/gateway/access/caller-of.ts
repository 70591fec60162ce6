import type { AccessToken } from "../../contract/wire/access.ts";
import type { Caller } from "../../contract/wire/caller.ts";
import type { StoredToken } from "../../store/tables/access-tokens.ts";

/** Nobody: what routes that are open to anyone are told. No conversation has this key. */
export const nobody: Caller = { sender: { kind: "stranger", id: "nobody" }, scope: "task", conversation: "" };

/** How far a token reaches is read from our own record; the client has no say in it. */
export function callerOf(token: StoredToken): Caller {
  const { id, name, scope } = token;
  if (scope !== "task") return { sender: { kind: "owner", id: "owner" }, scope, tokenId: id };
  // a record without its conversation reaches none, not all
  return { sender: { kind: "group", id, name }, scope, conversation: token.conversation ?? "", tokenId: id };
}

export function isLive(token: StoredToken | undefined, nowMs: number): token is StoredToken {
  return !!token && token.revokedAtMs === undefined && (token.expiresAtMs ?? Number.POSITIVE_INFINITY) > nowMs;
}

export function describeToken(token: StoredToken): AccessToken {
  const { id, name, scope, conversation: sessionKey, kind, createdAtMs, lastUsedAtMs, expiresAtMs } = token;
  return { id, name, scope, sessionKey, kind, createdAtMs, lastUsedAtMs, expiresAtMs };
}
