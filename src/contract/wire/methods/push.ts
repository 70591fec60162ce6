import { z } from "zod";
import { defineMethods, Empty, Ok } from "./define-methods.ts";

/** What a browser hands out when a person allows notifications. */
export const PushSubscription = z.strictObject({
  endpoint: z.url({ protocol: /^https?$/ }).max(2000),
  expirationTime: z.number().nullable().optional(),
  keys: z.strictObject({
    p256dh: z.string().regex(/^[A-Za-z0-9_-]{80,100}=*$/),
    auth: z.string().regex(/^[A-Za-z0-9_-]{20,32}=*$/),
  }),
});
export type PushSubscription = z.infer<typeof PushSubscription>;

export const pushMethods = defineMethods({
  "push.key": { scopes: ["approve"], params: Empty, result: z.object({ publicKey: z.string() }) },
  "push.subscribe": { scopes: ["approve"], params: z.strictObject({ subscription: PushSubscription }), result: Ok },
  "push.unsubscribe": { scopes: ["approve"], params: z.strictObject({ endpoint: z.string().max(2000) }), result: Ok },
});
