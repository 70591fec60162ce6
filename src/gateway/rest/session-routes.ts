import { z } from "zod";
import { defineRoute, type Route, refuse } from "../../contract/room/route.ts";
import { Scope } from "../../contract/wire/access.ts";
import type { Access } from "../access/access.ts";
import { sessionCookie } from "../access/session-cookie.ts";
import { refusalOfStranger } from "../http/refusal.ts";

const everybodyKnown = ["read", "approve", "task"] as const;

/** How a browser comes in with a one-time code, sees who it is, and leaves again. */
export function sessionRoutes(deps: { access: Access; cookieName(): string }): readonly Route[] {
  const { access } = deps;
  return [
    defineRoute({
      method: "POST",
      path: "/api/session",
      summary: "Exchanges a one-time code for a session cookie.",
      scopes: "anyone",
      body: z.strictObject({ code: z.string().min(1).max(100) }),
      responses: {
        204: { description: "The browser is let in; the cookie is set." },
        401: { description: "The code is not known, was used, or has run out." },
        429: { description: "Too many wrong codes came from this address." },
      },
      async answer({ body, from, headers, secure }) {
        const exchanged = await access.exchangeCode(body.code, { from, userAgent: headers["user-agent"] });
        if (exchanged.kind === "known")
          return { status: 204, headers: { "Set-Cookie": secured(exchanged.cookie, secure) } };
        const { status, code, message, headers: extra } = refusalOfStranger(exchanged);
        return refuse(status, code, message, extra);
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/session",
      summary: "Ends this session for good.",
      scopes: everybodyKnown,
      body: z.undefined(),
      responses: { 204: { description: "The session or token is revoked and never lets anybody in again." } },
      async answer({ caller, secure }) {
        await access.signOut(caller);
        return { status: 204, headers: { "Set-Cookie": secured(sessionCookie(deps.cookieName(), ""), secure) } };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/session",
      summary: "Tells who this is.",
      scopes: everybodyKnown,
      body: z.undefined(),
      responses: { 200: { description: "Known.", schema: z.object({ scope: Scope, name: z.string() }) } },
      answer: async ({ caller }) => ({
        status: 200,
        body: { scope: caller.scope, name: await access.nameOf(caller) },
      }),
    }),
  ];
}

function secured(cookie: string, secure: boolean): string {
  return secure ? `${cookie}; Secure` : cookie;
}
