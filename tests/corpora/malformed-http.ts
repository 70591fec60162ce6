// Requests that are sound HTTP and wrong in what they say, and bytes that only look like HTTP.

import { z } from "zod";
import { methods } from "../../src/contract/wire/method.ts";
import { CompletionRequest } from "../../src/gateway/rest/completions/completion-request.ts";
import { NewTask } from "../../src/gateway/rest/tasks/new-task.ts";
import { breakBytes, breakText, breakValue, type Dice } from "./malformed-json.ts";
import { validCalls } from "./valid-calls.ts";

export type HttpInput = { method: string; path: string; headers: Record<string, string>; body?: string | Buffer };

/** Every address by the name the OpenAPI document gives it, with what it takes; names in braces belong to nothing. */
const bodies: Readonly<Record<string, unknown>> = {
  "POST /api/session": { code: "none" },
  "DELETE /api/session": undefined,
  "GET /api/session": undefined,
  "POST /api/tasks": { prompt: "hello", sessionKey: "api--fuzz", model: "fake/fake-model", agentId: "main" },
  "GET /api/tasks": undefined,
  "GET /api/tasks/{id}": undefined,
  "POST /api/tasks/{id}/cancel": undefined,
  "GET /api/tasks/{id}/events": undefined,
  "GET /api/tasks/{id}/runs": undefined,
  "POST /api/tasks/{id}/pause": undefined,
  "POST /api/tasks/{id}/resume": undefined,
  "POST /api/tasks/{id}/run": undefined,
  "GET /api/events": undefined,
  "GET /api/approvals": undefined,
  "POST /api/approvals/{callId}": { decision: "approved", always: false, reason: "r" },
  "POST /api/hooks/{token}": { text: "hello" },
  "POST /api/call/{method}": {},
  "GET /api/attachments/{sha256}": undefined,
  "GET /health": undefined,
  "GET /metrics": undefined,
  "GET /v1/models": undefined,
  "POST /v1/chat/completions": { model: "steward", messages: [{ role: "user", content: "hello" }], stream: false },
  "GET /openapi.json": undefined,
};
export const routeNames: readonly string[] = Object.keys(bodies);

const wrongMethods = ["PUT", "PATCH", "TRACE", "PROPFIND", "LOCK", "MKCALENDAR"];
const oddSegments = [
  ...["%00", "%ff", "%c0%af", "%2e%2e", "..%2fx", "%5c", "%25", "%", "%zz", "%f0%9f%99%82", "__proto__", "constructor"],
  ...["a".repeat(4_000), "'; DROP TABLE events; --".replaceAll(" ", "%20"), "*", "~", "%20", ";x=1", "toString", "-1"],
];
const oddQueries = [
  ...["x=1", "__proto__=1", "constructor[prototype]=1", "limit=1&limit=2", "limit=NaN&y", "=", "%00=1", "%ff", "[]=1"],
  ...[
    "lastEventId=1&lastEventId=2",
    `q=${"a".repeat(3_000)}`,
    "token=stw_x",
    "limit[]=5&limit",
    `${"a&".repeat(500)}a`,
  ],
];
const oddHeaders: readonly Record<string, string>[] = [
  ...["evil.example", "127.0.0.1:1", "127.0.0.1:18789@evil.example", "[::1", "localhost.", "a".repeat(300)].map(
    (host) => ({ host }),
  ),
  ...["https://evil.example", "null", "http://127.0.0.1", "file://"].map((origin) => ({ origin })),
  ...["cross-site", "same-site", "x"].map((site) => ({ "sec-fetch-site": site })),
  ...["Bearer", "Bearer x", "Basic YTpi", "bearer\tx", `Bearer ${"x".repeat(5_000)}`].map((authorization) => ({
    authorization,
  })),
  { authorization: "", cookie: "steward_1=x; steward_18789=stw_x; ;;;=" },
];
/** Headers that only these addresses read. */
const ownHeaders: Readonly<Record<string, readonly Record<string, string>[]>> = {
  "GET /api/events": ["-1", "1e9", "999999999", "abc", "1.1.1", "0x1", "9".repeat(400)].map((id) => ({
    "last-event-id": id,
  })),
  "POST /api/tasks": ["", "k".repeat(181), "k".repeat(9_000)].map((key) => ({ "idempotency-key": key })),
  "POST /v1/chat/completions": ["a b", "", "s".repeat(121)].map((name) => ({ "x-steward-session": name })),
};
const contentTypes = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "application/json; charset=utf-16",
  "",
  "json",
  "a/b;;=",
];

type Fault = (dice: Dice, name: string, valid: HttpInput) => HttpInput;

const faultsAroundBody: readonly Fault[] = [
  (dice, _name, valid) => ({ ...valid, method: dice.pick(wrongMethods) }),
  (dice, _name, valid) => ({ ...valid, path: `${valid.path}/${dice.pick(oddSegments)}` }),
  (dice, name, valid) => ({ ...valid, path: pathOf(name, dice.pick(oddSegments), valid) }),
  (dice, _name, valid) => ({ ...valid, path: `${valid.path}?${dice.pick(oddQueries)}` }),
  (dice, name, valid) => ({ ...valid, headers: { ...valid.headers, ...oddHeadersFor(dice, name) } }),
  (dice, _name, valid) => withBody(valid, "{}", { "content-type": dice.pick(contentTypes) }),
  (dice, _name, valid) => withBody(valid, "{}", { "content-encoding": dice.pick(["gzip", "br", "identity, gzip"]) }),
];
const faultsInBody: readonly Fault[] = [
  (dice, _name, valid) => withBody(valid, breakBytes(dice, String(valid.body ?? '{"a":"b"}'))),
  (dice, _name, valid) => withBody(valid, breakText(dice, String(valid.body ?? '{"a":"b"}'))),
  (dice, _name, valid) => withBody(valid, breakValue(dice, JSON.parse(String(valid.body ?? "{}")))),
];

/** One request to this address that must be refused, whoever sends it. */
export function brokenRequest(dice: Dice, name: string, token: string): HttpInput {
  const [method = "", path = ""] = name.split(" ");
  const headers = { authorization: `Bearer ${token}` };
  const [body, callee] = bodyFor(dice, name);
  const plain = { method, path: path.replace("{method}", callee).replace(/\{\w+\}/, "none"), headers };
  const valid = body === undefined ? plain : withBody(plain, JSON.stringify(body));
  if (dice.below(2) === 0) return dice.pick(faultsAroundBody)(dice, name, valid);
  for (;;) {
    const broken = dice.pick(faultsInBody)(dice, name, valid);
    if (isRefusable(schemaFor(name, callee), broken.body)) return broken;
  }
}

function bodyFor(dice: Dice, name: string): [unknown, string] {
  if (!name.endsWith("{method}")) return [bodies[name], ""];
  const callee = dice.pick(Object.keys(validCalls)) as keyof typeof validCalls;
  return [validCalls[callee], callee];
}

function withBody(input: HttpInput, body: string | Buffer, headers: Record<string, string> = {}): HttpInput {
  return { ...input, headers: { ...input.headers, "content-type": "application/json", ...headers }, body };
}

function pathOf(name: string, segment: string, valid: HttpInput): string {
  const path = name.split(" ")[1] ?? "";
  return path.includes("{") ? path.replace(/\{\w+\}/, segment) : `${valid.path}${segment}`;
}

// whether somebody is let in plays no part where anybody is
function oddHeadersFor(dice: Dice, name: string): Record<string, string> {
  const odd = oddHeaders.filter((headers) => name !== "GET /health" || headers.authorization === undefined);
  return dice.pick([...odd, ...(ownHeaders[name] ?? [])]);
}

/** What reads the body, where a sound one would be obeyed; elsewhere only what is no JSON counts as broken. */
function schemaFor(name: string, callee: string): z.ZodType {
  if (name === "POST /api/tasks") return NewTask;
  if (name === "POST /v1/chat/completions") return CompletionRequest;
  if (name.endsWith("{method}")) return methods[callee as keyof typeof methods].params;
  return bodies[name] === undefined ? z.unknown() : z.never();
}

// damage may leave a request sound: the schema that the address is served by decides
function isRefusable(schema: z.ZodType, body: string | Buffer = ""): boolean {
  if (Buffer.isBuffer(body)) return true;
  // a mark of the byte order may stand before JSON, and an empty body is no body
  const text = body.replace(/^\ufeff/, "");
  try {
    return body !== "" && !schema.safeParse(JSON.parse(text) ?? {}).success;
  } catch {
    // not even JSON
    return true;
  }
}
