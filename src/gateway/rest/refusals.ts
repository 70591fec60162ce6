import { z } from "zod";
import type { Refusal } from "../http/refusal.ts";
import type { RouteAnswer, RouteResponse } from "../http/route.ts";

export const ErrorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

export function refuse(
  status: number,
  code: Refusal["code"],
  message: string,
  headers: Readonly<Record<string, string>> = {},
): RouteAnswer {
  return { status, body: { error: { code, message } }, headers };
}

const descriptions = {
  400: "Something about the request is wrong; the message says what.",
  401: "No token, or one that is not known.",
  403: "The token does not allow this.",
  404: "There is no such thing, or not for this token.",
  409: "It is too late for that, or something else is in the way.",
  413: "The body is too large.",
  415: "The body is not what its Content-Type should say.",
  429: "Too many requests; Retry-After says when to come back.",
  500: "Something went wrong inside Steward.",
} as const;

/** The refusals a route may answer with, for the OpenAPI document. */
export function refusals(...statuses: readonly (keyof typeof descriptions)[]): Record<number, RouteResponse> {
  return Object.fromEntries(
    statuses.map((status) => [status, { description: descriptions[status], schema: ErrorBody }]),
  );
}
