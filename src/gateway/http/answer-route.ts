// One request to one route: which one, who asks, may they, what do they send; then the route's own answer.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { z } from "zod";
import type { Route, RouteAnswer } from "../../contract/room/route.ts";
import type { Caller } from "../../contract/wire/caller.ts";
import type { Access } from "../access/access.ts";
import { nobody } from "../access/caller-of.ts";
import type { ExaminedRequest } from "./examine-request.ts";
import { isJson, parseJson, readBody } from "./read-body.ts";
import { invalid, type Refusal, refusalOfStranger } from "./refusal.ts";
import type { RequestLimits } from "./request-limits.ts";
import { writeBytes, writeJson, writeRefusal } from "./write-answer.ts";

export type Matched = { route: Route; params: Readonly<Record<string, string>> };
export type AnswerRouteDeps = {
  access: Access;
  limits: RequestLimits;
  /** Somebody has been recognised on this connection. */
  onKnown(socket: Socket): void;
};
type Asked = ExaminedRequest & Matched;
type SentBody = { bytes: Buffer; value: unknown };

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

export async function answerRoute(deps: AnswerRouteDeps, asked: Asked, response: ServerResponse): Promise<void> {
  const { route, from, secure } = asked;
  const caller = await letIn(deps, asked, response.req);
  if ("status" in caller) return writeRefusal(response, caller);
  const body = await takeBody(deps, route, response);
  if ("status" in body) return writeRefusal(response, body);
  const sent = readAll(asked, body.value);
  if ("status" in sent) return writeRefusal(response, sent);
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  const { headers } = response.req;
  const about = { headers, from, secure, signal: gone.signal };
  await write(await route.answer({ caller, ...sent, rawBody: body.bytes, ...about }), response);
}

// a route that names nobody is the owner's alone
async function letIn(
  deps: AnswerRouteDeps,
  { route, from }: Asked,
  request: IncomingMessage,
): Promise<Caller | Refusal> {
  if (route.scopes === "anyone") return nobody;
  const identified = await deps.access.identify(request, from);
  if (identified.kind !== "known") return refusalOfStranger(identified);
  deps.onKnown(request.socket);
  const { scope } = identified.caller;
  if (scope === "owner" || route.scopes.includes(scope)) return identified.caller;
  return { status: 403, code: "forbidden", message: `A token of the scope ${scope} does not reach this.` };
}

async function takeBody(
  { limits }: AnswerRouteDeps,
  route: Route,
  response: ServerResponse,
): Promise<SentBody | Refusal> {
  const bytes = await readBody(response, route.maxBodyBytes ?? limits.maxBodyBytes);
  if ("status" in bytes) return bytes;
  if (route.bodyType === "any" || bytes.length === 0) return { bytes, value: undefined };
  if (!isJson(response.req.headers["content-type"]))
    return invalid("Send the body as JSON, with Content-Type: application/json.", 415);
  const parsed = parseJson(bytes);
  return parsed ? { bytes, ...parsed } : invalid("The body is not JSON.");
}

function readAll({ route, params, target }: Asked, sentBody: unknown) {
  const keys = [...target.query.keys()];
  if (new Set(keys).size < keys.length) return invalid("A query key is given twice.");
  const path = route.params.safeParse(params);
  if (!path.success) return unread("path", path.error);
  const query = route.query.safeParse(Object.fromEntries(target.query));
  if (!query.success) return unread("query", query.error);
  const body = route.body.safeParse(sentBody);
  if (!body.success) return unread("body", body.error);
  return { path: path.data, query: query.data, body: body.data };
}

function unread(where: string, error: z.ZodError): Refusal {
  const problems = error.issues.slice(0, 5).map((issue) => `${[where, ...issue.path].join(".")}: ${issue.message}`);
  return invalid(problems.join("; "));
}

async function write(answer: RouteAnswer, response: ServerResponse): Promise<void> {
  if (!("stream" in answer)) {
    if ("bytes" in answer) return writeBytes(response, answer.status, answer.bytes, answer.headers);
    return writeJson(response, answer.status, answer.body, answer.headers);
  }
  // whoever asks for the head of a stream would wait for ever
  if (response.req.method === "HEAD") response.writeHead(200).end();
  else answer.stream(response);
}
