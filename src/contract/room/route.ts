// One HTTP address: who may use it, what it takes, what it answers. The server and the OpenAPI document read the same table.
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { z } from "zod";
import type { Scope } from "../wire/access.ts";
import type { Caller } from "../wire/caller.ts";
import type { ErrorCode } from "../wire/frame.ts";

export type RouteRequest<Path, Query, Body> = {
  caller: Caller;
  path: Path;
  query: Query;
  body: Body;
  /** The bytes as they came, for signatures over them. */
  rawBody: Buffer;
  headers: IncomingHttpHeaders;
  /** The client's address; a proxy is only believed if the settings name it. */
  from: string;
  /** Whether the client's side of the connection is encrypted. */
  secure: boolean;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
};

/** `stream` writes the whole answer itself, after the common headers have been set. A thrown `CallRefused` is an answer too. */
export type RouteAnswer =
  | { status: number; body?: unknown; headers?: Readonly<Record<string, string>> }
  | { status: number; bytes: Uint8Array; headers: Readonly<Record<string, string>> }
  | { stream(response: ServerResponse): void };

export type RouteResponse = { description: string; schema?: z.ZodType; contentType?: string };
export type RefusalCode = z.infer<typeof ErrorCode> | "unauthorized" | "too_large" | "too_many";

export type RouteDefinition<Path extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType> = {
  method: "GET" | "POST" | "DELETE";
  /** Such as `/api/tasks/:id`; the parts after a colon are read by `params`. */
  path: string;
  summary: string;
  /** Who may come beside the owner. `anyone`: no token is asked for, and the route itself decides. */
  scopes: readonly Exclude<Scope, "owner">[] | "anyone";
  params: Path;
  query: Query;
  body: Body;
  /** any: whatever the content type says, the bytes are left to the route, and `body` reads nothing. */
  bodyType?: "json" | "any";
  maxBodyBytes?: number;
  responses: Readonly<Record<number, RouteResponse>>;
  /** Which refusals of the usual form `{error: {code, message}}` it may answer with. */
  refusals?: readonly (400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500)[];
  /** What the document says beyond the schemas that the server itself reads. */
  documented?: {
    requestHeaders?: readonly { name: string; description: string; required?: boolean }[];
    responseHeaders?: readonly { name: string; description: string }[];
    /** What the body should be where the route reads it by itself, and under which content type. */
    body?: { contentType: string; schema: z.ZodType };
  };
  answer(request: RouteRequest<z.output<Path>, z.output<Query>, z.output<Body>>): Promise<RouteAnswer>;
};

export type Route = RouteDefinition<z.ZodObject, z.ZodObject, z.ZodType>;

type Read = "params" | "query" | "body";
const nothing = z.strictObject({});
type Nothing = typeof nothing;

/**
 * Ties the types of the schemas to the function that answers, and then forgets them. A path or a query that is left out
 * takes nothing; a body that is left out is not read.
 */
export function defineRoute<
  Path extends z.ZodObject = Nothing,
  Query extends z.ZodObject = Nothing,
  Body extends z.ZodType = z.ZodUnknown,
>(
  definition: Omit<RouteDefinition<Path, Query, Body>, Read> & Partial<Pick<RouteDefinition<Path, Query, Body>, Read>>,
): Route {
  return { params: nothing, query: nothing, body: z.unknown(), ...definition } as unknown as Route;
}

export function refuse(
  status: number,
  code: RefusalCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): RouteAnswer {
  return { status, body: { error: { code, message } }, headers };
}
