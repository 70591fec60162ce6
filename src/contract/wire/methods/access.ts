import { z } from "zod";
import { ConversationKey } from "../../conversation-key.ts";
import { AccessToken, Scope } from "../access.ts";
import { defineMethods, Empty, Ok } from "./define-methods.ts";

export const accessMethods = defineMethods({
  /** A code that lets one browser in once; it runs out after some minutes. */
  "access.createCode": {
    scopes: [],
    params: Empty,
    result: z.object({ code: z.string(), url: z.string(), expiresAtMs: z.number() }),
  },
  "access.list": { scopes: [], params: Empty, result: z.object({ tokens: z.array(AccessToken) }) },
  /** The token is in this answer and nowhere else, ever. */
  "access.create": {
    scopes: [],
    params: z.strictObject({
      name: z.string().min(1).max(80),
      scope: Scope,
      sessionKey: ConversationKey.optional(),
      expiresAfterDays: z.number().positive().max(3650).optional(),
    }),
    result: z.object({ token: z.string(), record: AccessToken }),
  },
  "access.revoke": { scopes: [], params: z.strictObject({ id: z.string().max(100) }), result: Ok },
});
