import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { defineRoute, type Route, type RouteAnswer, refuse } from "../../../contract/room/route.ts";
import { findHook, type StoredHook } from "../../../store/tables/hooks.ts";
import { waitingMessages } from "../../../store/tables/open-work.ts";
import { hashSecret } from "../../access/secret.ts";
import { hookConversation } from "../../methods/hook-methods.ts";
import { receiveMessage } from "../../receive.ts";
import type { RestDeps } from "../rest-deps.ts";
import { hookMessage } from "./hook-message.ts";
import { readDeliveryId, verifySignature } from "./hook-signature.ts";

const maxBodyBytes = 256 * 1024;
const callsPerMinute = 60;
const minuteMs = 60_000;

type HookCall = { headers: IncomingHttpHeaders; body: Uint8Array };
type Admitted = { hook: StoredHook; deliveryId: string | undefined };

export function hookRoute(deps: RestDeps): Route {
  // whoever does not know a path is measured against this, so that it takes as long as for one who does
  const nobodysSecret = `whsec_${randomBytes(32).toString("base64")}`;
  const rate = openRateWindow();
  const headers = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => ({
    name,
    description: "By the Standard Webhooks rules; needed if the hook was made to take signed requests only.",
  }));
  return defineRoute({
    method: "POST",
    path: "/api/hooks/:token",
    summary:
      "Another program tells something. It is handled in the hook's own conversation, behind the prompt that the owner gave the hook and marked as data from outside; its sender has no right of the owner's.",
    scopes: "anyone",
    params: z.strictObject({ token: z.string().min(1).max(200) }),
    bodyType: "any",
    maxBodyBytes,
    responses: {
      202: {
        description: "It is on disk. The same webhook-id gets the same id.",
        schema: z.object({ id: z.string() }),
      },
    },
    refusals: [401, 413, 429],
    documented: { requestHeaders: headers, body: { contentType: "*/*", schema: z.string() } },
    async answer({ path, headers, rawBody }) {
      const call = { headers, body: rawBody };
      const admitted = await admit(path.token, call);
      if (!admitted) return refuse(401, "unauthorized", "This address or its signature is not known here.");
      const waitMs = rate.take(admitted.hook.id, deps.world.nowMs());
      if (waitMs !== undefined) return tooMany(waitMs);
      return receive(deps, admitted, call);
    },
  });

  async function admit(token: string, call: HookCall): Promise<Admitted | undefined> {
    const hook = await findHook(deps.database, hashSecret(token));
    const signedAs = verifySignature(hook?.secret ?? nobodysSecret, { ...call, nowMs: deps.world.nowMs() });
    if (!hook) return undefined;
    if (hook.secret === undefined) return { hook, deliveryId: readDeliveryId(call.headers) };
    return signedAs === undefined ? undefined : { hook, deliveryId: signedAs };
  }
}

async function receive(deps: RestDeps, { hook, deliveryId }: Admitted, call: HookCall): Promise<RouteAnswer> {
  const conversation = hookConversation(hook.id);
  // refused before it is written down: the sender tries again with the same id, and may then succeed
  if ((await waitingMessages(deps.database, conversation)).length >= deps.maxWaiting) return tooMany(minuteMs);
  const receipt = await receiveMessage(deps, {
    conversation,
    channel: "hook",
    sender: { kind: "group", id: `hook:${hook.name}`, name: hook.name },
    text: hookMessage(hook, { body: call.body, contentType: call.headers["content-type"] }),
    attachments: [],
    idempotencyKey: deliveryId && `${hook.id}:${deliveryId}`,
  });
  return receipt.accepted ? { status: 202, body: { id: receipt.messageId } } : tooMany(minuteMs);
}

function tooMany(waitMs: number): RouteAnswer {
  const seconds = String(Math.max(1, Math.ceil(waitMs / 1000)));
  return refuse(429, "too_many", "Too much at once. Try again later.", { "retry-after": seconds });
}

/** At most so many in any stretch of a minute, for each key; what is long past is forgotten. */
function openRateWindow() {
  const times = new Map<string, number[]>();
  return {
    /** Undefined when there is room, which is then used up; else how long until there is some. */
    take(key: string, nowMs: number): number | undefined {
      for (const [other, taken] of times) if ((taken.at(-1) ?? 0) <= nowMs - minuteMs) times.delete(other);
      const recent = (times.get(key) ?? []).filter((time) => time > nowMs - minuteMs);
      times.set(key, recent);
      const oldest = recent[0];
      if (oldest !== undefined && recent.length >= callsPerMinute) return oldest + minuteMs - nowMs;
      recent.push(nowMs);
      return undefined;
    },
  };
}
