// One request to one route: which one, who asks, may they, what do they send; then the route's own answer.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import type { Route, RouteAnswer, RouteRequest } from "../../contract/room/route.ts";
import type { Caller } from "../../contract/wire/caller.ts";
import type { Access } from "../access/access.ts";
import { nobody } from "../access/caller-of.ts";
import type { ExaminedRequest } from "./examine-request.ts";
import { isJson, parseJson, readBody } from "./read-body.ts";
import { type Refusal, refusalOfStranger } from "./refusal.ts";
import { writeBytes, writeJson, writeRefusal } from "./write-answer.ts";

export type Matched = { route: Route; params: Readonly<Record<string, string>> };
export type AnswerRouteDeps = { access: Access; maxBodyBytes: number; onKnown(request: IncomingMessage): void };

/** The routes whose path fits, by method; a path that is spelled out wins over one with a placeholder. */
export function matchRoutes(routes: readonly Route[], segments: readonly string[]): ReadonlyMap<string, Matched> {
  const found = new Map<string, Matched>();
  for (const route of routes) {
    const params = matchPath(route.path, segments);
    const rival = found.get(route.method);
    if (params && (!rival || Object.keys(params).length < Object.keys(rival.params).length))
      found.set(route.method, { route, params });
  }
  return found;
}

function matchPath(path: string, segments: readonly string[]): Record<string, string> | undefined {
  const parts = path.slice(1).split("/");
  if (parts.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    const segment = segments[at] ?? "";
    if (part.startsWith(":") && segment !== "") params[part.slice(1)] = segment;
    else if (part !== segment) return undefined;
  }
  return params;
}

export async function answerRoute(
  deps: AnswerRouteDeps,
  examined: ExaminedRequest,
  matched: Matched,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const caller = await letIn(deps, matched.route, examined, request);
  if ("status" in caller) return writeRefusal(response, caller);
  const body = await takeBody(deps, matched.route, request, response);
  if ("status" in body) return writeRefusal(response, body);
  const sent = readAll(matched, examined.target.query, body.value);
  if ("status" in sent) return writeRefusal(response, sent);
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  const answer = await matched.route.answer({
    caller,
    ...sent,
    rawBody: body.bytes,
    headers: request.headers,
    from: examined.from,
    secure: examined.secure,
    signal: gone.signal,
  });
  await write(answer, request, response);
}

// a route that names nobody is the owner's alone
async function letIn(
  deps: AnswerRouteDeps,
  route: Route,
  examined: ExaminedRequest,
  request: IncomingMessage,
): Promise<Caller | Refusal> {
  if (route.scopes === "anyone") return nobody;
  const identified = await deps.access.identify(request, examined.from);
  if (identified.kind !== "known") return refusalOfStranger(identified);
  deps.onKnown(request);
  const { scope } = identified.caller;
  if (scope === "owner" || route.scopes.includes(scope)) return identified.caller;
  return { status: 403, code: "forbidden", message: `A token of the scope ${scope} does not reach this.` };
}

async function takeBody(
  deps: AnswerRouteDeps,
  route: Route,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<{ bytes: Buffer; value: unknown } | Refusal> {
  const bytes = await readBody(request, response, route.maxBodyBytes ?? deps.maxBodyBytes);
  if ("status" in bytes) return bytes;
  if (route.bodyType === "any" || bytes.length === 0) return { bytes, value: undefined };
  if (!isJson(request.headers["content-type"]))
    return { status: 415, code: "invalid", message: "Send the body as JSON, with Content-Type: application/json." };
  const parsed = parseJson(bytes);
  return parsed ? { bytes, ...parsed } : { status: 400, code: "invalid", message: "The body is not JSON." };
}

function readAll(
  { route, params }: Matched,
  search: URLSearchParams,
  sentBody: unknown,
): Pick<RouteRequest<Record<string, unknown>, Record<string, unknown>, unknown>, "path" | "query" | "body"> | Refusal {
  const keys = [...search.keys()];
  if (new Set(keys).size < keys.length) return { status: 400, code: "invalid", message: "A query key is given twice." };
  const path = route.params.safeParse(params);
  if (!path.success) return invalid("path", path.error);
  const query = route.query.safeParse(Object.fromEntries(search));
  if (!query.success) return invalid("query", query.error);
  const body = route.body.safeParse(sentBody);
  if (!body.success) return invalid("body", body.error);
  return { path: path.data, query: query.data, body: body.data };
}

function invalid(where: string, error: z.ZodError): Refusal {
  const problems = error.issues.slice(0, 5).map((issue) => `${[where, ...issue.path].join(".")}: ${issue.message}`);
  return { status: 400, code: "invalid", message: problems.join("; ") };
}

async function write(answer: RouteAnswer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!("stream" in answer)) {
    if ("bytes" in answer) return writeBytes(response, answer.status, answer.bytes, answer.headers);
    return writeJson(response, answer.status, answer.body, answer.headers);
  }
  // whoever asks for the head of a stream would wait for ever
  if (request.method === "HEAD") response.writeHead(200).end();
  else answer.stream(response);
}
