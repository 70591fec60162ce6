// An unchecked URL comes in; what goes out is the answer of an address that was checked, a refusal or a failure.
import { type AcceptedUrl, checkUrl, type Refusal, showUrl } from "./check-url.ts";
import type { FailedFetch, FetchDeps, FetchOutcome, FetchRequest, TransportResponse } from "./fetch-outcome.ts";
import { followRedirect, type Question, redirectOf } from "./follow-redirect.ts";
import { acceptedEncodings, readBody } from "./read-body.ts";
import { readHeaders } from "./request-headers.ts";
import { resolveChecked } from "./resolve-checked.ts";

const defaultMaxRedirects = 5;
// a name may list many addresses; a few dead ones are bad luck, more are not worth the wait
const maxAddressesTried = 3;

type Walk = { connected: string[]; signal: AbortSignal };
type Arrival = { kind: "arrived"; url: URL; question: Question; response: TransportResponse };

/** Every hop is checked from the start and spoken to at an address of its only look-up (SSRF, DNS rebinding). */
export async function guardedFetch(deps: FetchDeps, request: FetchRequest): Promise<FetchOutcome> {
  const startedAtMs = deps.nowMs();
  const outOfTime = AbortSignal.timeout(request.limits.timeoutMs);
  const walk: Walk = { connected: [], signal: AbortSignal.any([request.signal, outOfTime]) };
  const { connected } = walk;
  const end = await walkHops(deps, walk, request);
  if (end.kind === "refused") return { ...end, connected };
  if (end.kind === "failed") return { ...explain(end, request, outOfTime), connected };

  const body = await readArrival(end, request);
  if (body.kind === "failed") return { ...explain(body, request, outOfTime), connected };
  const { "set-cookie": _, ...headers } = end.response.headers;
  return {
    kind: "response",
    url: end.url.href,
    status: end.response.status,
    headers,
    body: body.bytes,
    durationMs: deps.nowMs() - startedAtMs,
    connected,
  };
}

async function walkHops(deps: FetchDeps, walk: Walk, request: FetchRequest): Promise<Arrival | Refusal | FailedFetch> {
  const { allowAddress } = deps;
  const maxRedirects = request.limits.maxRedirects ?? defaultMaxRedirects;
  let target = checkUrl(request.url, { allowAddress });
  if (target.kind === "refused") return target;
  const read = readHeaders(request.headers);
  if (!read.ok) return { kind: "refused", rule: "header", reason: read.reason, url: showUrl(target.url) };
  const { method, body } = request;
  let question: Question = { method, headers: read.headers, ...(body && { body }) };
  for (let redirects = 0; ; redirects++) {
    const response = await ask(deps, walk, question, target);
    if (response.kind !== "answered") return response;
    const location = redirectOf(response);
    const { url } = target;
    if (location === undefined) return { kind: "arrived", url, question, response };
    response.discard();
    if (redirects >= maxRedirects)
      return { kind: "refused", rule: "redirect", reason: `more than ${maxRedirects} redirects`, url: showUrl(url) };
    target = checkUrl(location, { base: url, allowAddress });
    if (target.kind === "refused") return target;
    const next = followRedirect(question, { status: response.status, from: url, to: target.url });
    if ("kind" in next) return next;
    question = next;
  }
}

async function ask(
  deps: FetchDeps,
  walk: Walk,
  question: Question,
  target: AcceptedUrl,
): Promise<TransportResponse | Refusal | FailedFetch> {
  const { url, port, destination } = target;
  const checked = await resolveChecked(deps, { ...target, signal: walk.signal });
  if (checked.kind !== "checked") return checked;
  const problems: string[] = [];
  for (const address of checked.addresses.slice(0, maxAddressesTried)) {
    if (walk.signal.aborted) break;
    const answer = await deps.connect({
      ...question,
      headers: { ...question.headers, host: url.host, "accept-encoding": acceptedEncodings },
      url,
      port,
      host: destination.kind === "name" ? destination.name : address,
      address,
      signal: walk.signal,
    });
    if (answer.kind !== "unreachable") walk.connected.push(address);
    if (answer.kind === "answered") return answer;
    problems.push(`${address}: ${answer.reason}`);
    if (answer.kind === "failed") break;
  }
  return { kind: "failed", failure: "connection", reason: `${url.host} does not answer: ${problems.join("; ")}` };
}

async function readArrival(
  { question, response }: Arrival,
  request: FetchRequest,
): Promise<{ kind: "read"; bytes: Uint8Array } | FailedFetch> {
  if (question.method !== "HEAD" && response.status !== 204 && response.status !== 304)
    return readBody(response, request.limits);
  response.discard();
  return { kind: "read", bytes: new Uint8Array() };
}

/** A stop or the time limit shows up as a broken look-up or connection; the caller wants to know which it was. */
function explain(failed: FailedFetch, request: FetchRequest, outOfTime: AbortSignal): FailedFetch {
  if (failed.failure !== "look-up" && failed.failure !== "connection") return failed;
  if (request.signal.aborted) return { kind: "failed", failure: "stopped", reason: "the request was stopped" };
  if (!outOfTime.aborted) return failed;
  return { kind: "failed", failure: "time", reason: `no whole answer within ${request.limits.timeoutMs} ms` };
}
