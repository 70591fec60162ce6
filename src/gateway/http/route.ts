// One address of the HTTP gateway: who may use it, what it takes, what it answers. The server and the OpenAPI document read the same table.
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { z } from "zod";
import type { Scope } from "../../contract/access.ts";
import type { Caller } from "../../contract/caller.ts";

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

/** `stream` writes the whole answer itself, after the common headers have been set. */
export type RouteAnswer =
  | { status: number; body?: unknown; headers?: Readonly<Record<string, string>> }
  | { status: number; bytes: Uint8Array; headers: Readonly<Record<string, string>> }
  | { stream(response: ServerResponse): void };

export type RouteResponse = { description: string; schema?: z.ZodType; contentType?: string };

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
  answer(request: RouteRequest<z.output<Path>, z.output<Query>, z.output<Body>>): Promise<RouteAnswer>;
};

export type Route = RouteDefinition<z.ZodObject, z.ZodObject, z.ZodType>;

/** Ties the types of the schemas to the function that answers, and then forgets them. */
export function defineRoute<Path extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType>(
  definition: RouteDefinition<Path, Query, Body>,
): Route {
  return definition as unknown as Route;
}
