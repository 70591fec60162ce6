// The address of a task that begins when somebody calls it.
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { defineRoute, type Route, type RouteAnswer, refuse } from "../../contract/room/route.ts";
import { findTaskHook, hashToken } from "../../store/tasks/task-hooks.ts";
import { findTask, type StoredTask } from "../../store/tasks/tasks.ts";
import type { TaskDeps } from "../task-deps.ts";
import { readDeliveryId, verifySignature } from "./hook-signature.ts";
import { openRateWindow } from "./rate-window.ts";
import { type HookCall, takeCall } from "./take-call.ts";

const maxBodyBytes = 256 * 1024;

type Admitted = { task: StoredTask; deliveryId: string | undefined };

export function hookRoute(deps: TaskDeps): Route {
  // whoever does not know a path is measured against this, so that it takes as long as for one who does
  const nobodysSecret = `whsec_${randomBytes(32).toString("base64")}`;
  const rate = openRateWindow();
  const headers = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => ({
    name,
    description: "By the Standard Webhooks rules; needed if the task was made to take signed requests only.",
  }));
  return defineRoute({
    method: "POST",
    path: "/api/hooks/:token",
    summary:
      "Another program tells something, and a run of the webhook's task begins. What it tells stands behind the task's own words, marked as data from outside; its sender has no right of the owner's.",
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
    refusals: [401, 409, 413, 429],
    documented: { requestHeaders: headers, body: { contentType: "*/*", schema: z.string() } },
    async answer({ path, headers, rawBody }) {
      const call = { headers, body: rawBody };
      const admitted = await admit(path.token, call);
      if (!admitted) return unknown();
      const waitMs = rate.take(admitted.task.id, deps.world.nowMs());
      if (waitMs !== undefined) return tooMany(waitMs);
      const taken = await takeCall(deps, admitted.task, { ...call, deliveryId: admitted.deliveryId });
      switch (taken.kind) {
        case "taken":
          return { status: 202, body: { id: taken.run } };
        case "full":
          return tooMany(fullForMs);
        case "paused":
          return refuse(409, "conflict", "What this address begins is paused. Try again later.");
        case "ended":
          return unknown();
        default:
          return taken satisfies never;
      }
    },
  });

  async function admit(token: string, call: HookCall): Promise<Admitted | undefined> {
    const hook = await findTaskHook(deps.database, hashToken(token));
    const signedAs = verifySignature(hook?.secret ?? nobodysSecret, { ...call, nowMs: deps.world.nowMs() });
    const task = await findTask(deps.database, hook?.task ?? "");
    if (!hook || !task || task.state === "ended") return undefined;
    if (hook.secret === undefined) return { task, deliveryId: readDeliveryId(call.headers) };
    return signedAs === undefined ? undefined : { task, deliveryId: signedAs };
  }
}

const fullForMs = 60_000;

/** An ended task's address looks like one that never was. */
function unknown(): RouteAnswer {
  return refuse(401, "unauthorized", "This address or its signature is not known here.");
}

function tooMany(waitMs: number): RouteAnswer {
  const seconds = String(Math.max(1, Math.ceil(waitMs / 1000)));
  return refuse(429, "too_many", "Too much at once. Try again later.", { "retry-after": seconds });
}
