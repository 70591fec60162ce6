import { CallRefused } from "../../contract/wire/client.ts";
import type { accessMethods } from "../../contract/wire/methods/access.ts";
import type { Served } from "../../contract/wire/methods/define-methods.ts";
import type { Access } from "../access/access.ts";

const dayMs = 86_400_000;

/** `pageUrl`: where the page is, as a person's browser would write it, without a slash at the end. */
export function serveAccess(deps: { access: Access; pageUrl(): string }): Served<typeof accessMethods> {
  const { access } = deps;
  return {
    async "access.createCode"(caller) {
      // a code becomes an owner's session, so nobody less may have one
      if (caller.scope !== "owner") throw new CallRefused("forbidden", "Only the owner may let a browser in.");
      const { code, expiresAtMs } = access.createCode();
      // behind the # it is not sent to any server, and stands in no log
      return { code, url: `${deps.pageUrl()}/#code=${code}`, expiresAtMs };
    },
    async "access.list"(caller) {
      if (caller.scope !== "owner") throw new CallRefused("forbidden", "Only the owner may see who was let in.");
      return { tokens: [...(await access.list())] };
    },
    "access.create": (caller, { name, scope, sessionKey, expiresAfterDays }) =>
      access.create(caller, {
        name,
        scope,
        conversation: sessionKey,
        expiresAfterMs: expiresAfterDays === undefined ? undefined : Math.round(expiresAfterDays * dayMs),
      }),
    "access.revoke": async (caller, { id }) => ({ ok: await access.revoke(caller, id) }),
  };
}
