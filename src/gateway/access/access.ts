// Who may come in: secrets come in, callers go out; how far each may go is what our own record says.
import type { IncomingHttpHeaders } from "node:http";
import type { AccessToken, Scope } from "../../contract/wire/access.ts";
import { type Caller, owner } from "../../contract/wire/caller.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import type { World } from "../../contract/world.ts";
import type { AccessTokens, StoredToken } from "../../store/tables/access-tokens.ts";
import { browserName } from "./browser-name.ts";
import { callerOf, describeToken, isLive } from "./caller-of.ts";
import { environmentTokenId, openEnvironmentToken } from "./environment-token.ts";
import { openFailureLimit } from "./failure-limit.ts";
import { openOneTimeCodes } from "./one-time-codes.ts";
import { hashSecret, looksLikeToken, newToken, sameHash } from "./secret.ts";
import { readSessionCookies, sessionCookie } from "./session-cookie.ts";
import { type Attempt, openSignInRecord, type Visitor } from "./sign-in-record.ts";
import { openTokenEndings } from "./token-endings.ts";

export type NotKnown =
  | { kind: "unknown" }
  | { kind: "refused"; message: string }
  | { kind: "too many"; retryAfterMs: number };
type Exchanged = { kind: "known"; caller: Caller; cookie: string } | NotKnown;
export type Identified = { kind: "known"; caller: Caller } | NotKnown;

export type TokenWish = {
  name: string;
  scope: Scope;
  /** For the scope `task`, and for no other. */
  conversation?: string | undefined;
  expiresAfterMs?: number | undefined;
};

export type Access = ReturnType<typeof openAccess>;

export type AccessDeps = {
  tokens: AccessTokens;
  world: World;
  /** STEWARD_GATEWAY_TOKEN, if it is set. */
  environmentToken: string | undefined;
  /** The session cookie's name; known once the port is. */
  cookieName(): string;
  onTrouble(message: string, cause: unknown): void;
  checkEndingsEveryMs?: number;
};

const sessionMs = 30 * 86_400_000;
const markUsedEveryMs = 60_000;
const refusal = "This token is not known here: it is mistyped, has been revoked or has run out.";
const codeRefusal = "This code is not known here: it is mistyped, has been used or has run out. Ask for a new one.";

export function openAccess(deps: AccessDeps) {
  const { tokens } = deps;
  const { nowMs } = deps.world;
  const codes = openOneTimeCodes({ nowMs });
  const environment = openEnvironmentToken(deps.environmentToken, nowMs());
  const limit = openFailureLimit({
    nowMs,
    onBlocked: (address) =>
      deps.onTrouble(`Too many wrong tokens or codes came from ${address}; it has to wait.`, undefined),
  });
  const record = openSignInRecord({ append: tokens.note, nowMs, onTrouble: deps.onTrouble });
  const markedAtMs = new Map<string, number>();
  const endings = openTokenEndings({
    isLive: isStillLive,
    checkEveryMs: deps.checkEndingsEveryMs ?? 5_000,
    onTrouble: deps.onTrouble,
  });

  return {
    /** By the Authorization header if there is one, else by the session cookie. */
    async identify({ headers }: { headers: IncomingHttpHeaders }, from: string): Promise<Identified> {
      const visitor = { from, userAgent: headers["user-agent"] };
      if (headers.authorization !== undefined) return checkToken(readBearer(headers.authorization), visitor);
      const values = readSessionCookies(headers.cookie, deps.cookieName());
      if (values.length === 0) return { kind: "unknown" };
      let endedId: string | undefined;
      for (const value of values) {
        const found = await findToken(value, "browser");
        if (found?.isLive) return letIn(found.token, visitor);
        endedId ??= found?.token.id;
      }
      return failed("session", visitor, refusal, endedId);
    },
    checkToken,
    async exchangeCode(code: string, visitor: Visitor): Promise<Exchanged> {
      if (!codes.take(code)) return failed("code", visitor, codeRefusal);
      const wish = { name: browserName(visitor.userAgent), scope: "owner", expiresAfterMs: sessionMs } as const;
      const { secret, stored } = await grant(owner, wish, "browser");
      record.exchanged(stored, visitor);
      return { kind: "known", caller: callerOf(stored), cookie: sessionCookie(deps.cookieName(), secret) };
    },
    createCode: codes.create,
    /** Called when the token is revoked or has run out; at once if it already is. */
    onEnd: endings.watch,
    async signOut(caller: Caller): Promise<void> {
      if (caller.tokenId) await revoke(caller, caller.tokenId);
    },
    async list(): Promise<readonly AccessToken[]> {
      const stored = (await tokens.listLive(nowMs())).map(describeToken);
      return environment ? [environment.record, ...stored] : stored;
    },
    /** The secret is in this answer and nowhere else. */
    async create(caller: Caller, wish: TokenWish): Promise<{ token: string; record: AccessToken }> {
      if (caller.scope !== "owner") throw new CallRefused("forbidden", "Only the owner may hand out tokens.");
      if ((wish.scope === "task") !== (wish.conversation !== undefined))
        throw new CallRefused("invalid", "A sessionKey belongs to the scope task, and the scope task needs one.");
      const { secret, stored } = await grant(caller, wish, "token");
      return { token: secret, record: describeToken(stored) };
    },
    async revoke(caller: Caller, id: string): Promise<boolean> {
      if (caller.scope !== "owner") throw new CallRefused("forbidden", "Only the owner may revoke tokens.");
      return revoke(caller, id);
    },
    /** What the one who came in is called in the list of tokens. */
    async nameOf(caller: Caller): Promise<string> {
      if (caller.tokenId === environmentTokenId) return environment?.record.name ?? "";
      return (caller.tokenId && (await tokens.find(caller.tokenId))?.name) || "This machine";
    },
    async close(): Promise<void> {
      endings.close();
      await record.close();
    },
  };

  async function checkToken(token: string, visitor: Visitor): Promise<Identified> {
    const { from } = visitor;
    const caller = environment?.recognise(hashSecret(token), from, limit.waitMs(from) > 0);
    if (environment && caller) {
      record.known(environment.record, "token", visitor);
      return { kind: "known", caller };
    }
    const found = await findToken(token, "token");
    return found?.isLive ? letIn(found.token, visitor) : failed("token", visitor, refusal, found?.token.id);
  }

  async function letIn(token: StoredToken, visitor: Visitor): Promise<Identified> {
    await markUsed(token);
    record.known(token, token.kind === "browser" ? "session" : "token", visitor);
    return { kind: "known", caller: callerOf(token) };
  }

  // asked anew every time: a token that is remembered would outlive its revocation. One of ours cannot be guessed, so
  // the right one is let in even from an address whose other visitors have to wait
  async function findToken(secret: string, kind: StoredToken["kind"]) {
    if (!looksLikeToken(secret)) return undefined;
    const hash = hashSecret(secret);
    const token = await tokens.findByHash(hash);
    if (!token || !sameHash(token.hash, hash)) return undefined;
    return { token, isLive: token.kind === kind && isLive(token, nowMs()) };
  }

  async function markUsed(token: StoredToken): Promise<void> {
    const now = nowMs();
    if (now - (markedAtMs.get(token.id) ?? token.lastUsedAtMs ?? 0) < markUsedEveryMs) return;
    markedAtMs.set(token.id, now);
    try {
      await tokens.markUsed(token.id, now, token.kind === "browser" ? now + sessionMs : undefined);
    } catch (cause) {
      // a full disk is no reason to lock the owner out of seeing so
      deps.onTrouble("It could not be written down when a token was used.", cause);
    }
  }

  function failed(what: Attempt, visitor: Visitor, message: string, endedId?: string): NotKnown {
    const { from } = visitor;
    const retryAfterMs = limit.waitMs(from);
    record.refused(retryAfterMs > 0 ? "locked out" : what, visitor, endedId);
    if (retryAfterMs > 0) return { kind: "too many", retryAfterMs };
    limit.count(from);
    return { kind: "refused", message };
  }

  async function grant(caller: Caller, wish: TokenWish, kind: StoredToken["kind"]) {
    const secret = newToken();
    const createdAtMs = nowMs();
    const stored: StoredToken = {
      id: deps.world.newId("tok"),
      hash: hashSecret(secret),
      name: wish.name,
      scope: wish.scope,
      conversation: wish.conversation,
      kind,
      createdAtMs,
      expiresAtMs: wish.expiresAfterMs === undefined ? undefined : createdAtMs + wish.expiresAfterMs,
    };
    await tokens.grant(stored, caller.sender);
    return { secret, stored };
  }

  async function revoke(caller: Caller, id: string): Promise<boolean> {
    if (id === environmentTokenId)
      throw new CallRefused("conflict", "This token stands in STEWARD_GATEWAY_TOKEN. Change it there and restart.");
    const revoked = await tokens.revoke(id, nowMs(), caller.sender);
    markedAtMs.delete(id);
    endings.end(id);
    return revoked;
  }

  // a connection that is held open is a session in use
  async function isStillLive(tokenId: string): Promise<boolean> {
    if (tokenId === environmentTokenId) return true;
    const token = await tokens.find(tokenId);
    if (!isLive(token, nowMs())) return false;
    await markUsed(token);
    return true;
  }
}

function readBearer(header: string): string {
  return /^Bearer +([^\s]{1,512})$/i.exec(header)?.[1] ?? "";
}
