import { z } from "zod";
import { defineRoute, type Route } from "../../contract/room/route.ts";
import type { RestDeps } from "./rest-deps.ts";

export const callPath = "/api/call/:method";

/** Any method of the gateway over HTTP; the gateway itself decides who may call which and reads the parameters. */
export function callRoute(deps: RestDeps): Route {
  return defineRoute({
    method: "POST",
    path: callPath,
    summary: "Calls a method of the gateway; the body holds its parameters.",
    scopes: ["read", "approve", "task"],
    params: z.strictObject({ method: z.string().min(1).max(100) }),
    maxBodyBytes: 64 * 1024 * 1024,
    responses: { 200: { description: "What the method answers.", schema: z.unknown() } },
    refusals: [400, 401, 403, 404, 409, 413, 415, 500],
    answer: async ({ caller, path, body }) => ({
      status: 200,
      body: await deps.gateway.call(caller, path.method, body),
    }),
  });
}
