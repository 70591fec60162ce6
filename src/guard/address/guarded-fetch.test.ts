import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { checkUrl } from "./check-url.ts";
import type { FetchDeps, FetchOutcome, FetchRequest } from "./fetch-outcome.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { openTransport } from "./real-network.ts";

type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: string };

test("a page is fetched by name from the checked address, with the name and port as Host", async () => {
  const site = await serve((_request, response) => response.end("hello"));
  const outcome = await fetchPage([site], { url: `http://page.example:${site.port}/a?b=c#d` });
  expect(outcome).toMatchObject({ kind: "response", status: 200, connected: ["127.0.0.1"] });
  expect(bodyOf(outcome)).toBe("hello");
  expect(site.seen).toMatchObject([{ url: "/a?b=c", headers: { host: `page.example:${site.port}` } }]);
});

test("without an explicit allowance a loopback server is never spoken to, by address or by name", async () => {
  const site = await serve((_request, response) => response.end("secret"));
  const byAddress = await fetchPage([], { url: `http://127.0.0.1:${site.port}/` });
  const byName = await fetchPage([], { url: `http://page.example:${site.port}/` });
  expect([byAddress, byName]).toMatchObject([
    { kind: "refused", rule: "address", connected: [] },
    { kind: "refused", rule: "address", connected: [] },
  ]);
  expect(site.seen).toEqual([]);
});

test("an allowance never covers an answer that is not an address", async () => {
  const deps = { ...depsFor([]), allowAddress: () => true, resolve: async () => ["localhost"] };
  const outcome = await guardedFetch(deps, requestFor({ url: "http://page.example/" }));
  expect(outcome).toMatchObject({ kind: "refused", rule: "address", connected: [] });
});

test("a redirect to a private server is refused, and that server sees nothing", async () => {
  const { front, secret } = await serveTrap();
  const outcome = await fetchPage([front], { url: `http://page.example:${front.port}/` });
  expect(outcome).toMatchObject({ kind: "refused", rule: "address", connected: ["127.0.0.1"] });
  expect(secret.seen).toEqual([]);
});

test("the trap works: without the check of the second hop the secret page is reached", async () => {
  const { front, secret } = await serveTrap();
  const connect = openTransport();
  const first = checkUrl(`http://127.0.0.1:${front.port}/`, { allowAddress: (_address, port) => port === front.port });
  if (first.kind === "refused") throw new Error(first.reason);
  const same = {
    host: "127.0.0.1",
    address: "127.0.0.1",
    method: "GET",
    signal: new AbortController().signal,
  } as const;
  const answer = await connect({ ...same, url: first.url, port: front.port, headers: { host: first.url.host } });
  if (answer.kind !== "answered") throw new Error(answer.reason);
  answer.discard();
  const url = new URL(answer.headers.location ?? "");
  const leaked = await connect({ ...same, url, port: Number(url.port), headers: { host: url.host } });
  expect(leaked.kind === "answered" && (await readText(leaked.body))).toBe("secret");
  expect(secret.seen).toHaveLength(1);
});

test("credentials and unknown headers stay with the origin they were meant for, also on the way back", async () => {
  const other = await serve((_request, response) => redirect(response, 302, `http://page.example:${site.port}/end`));
  const site = await serve((request, response) => {
    if (request.url === "/") redirect(response, 302, "/same");
    else if (request.url === "/same") redirect(response, 302, `http://other.example:${other.port}/`);
    else response.end("done");
  });
  const secrets = { Authorization: "Bearer x", Cookie: "a=b", "X-Api-Key": "k", "X-Anything": "t" };
  const headers = { ...secrets, Accept: "text/html", "User-Agent": "Steward" };
  const outcome = await fetchPage([site, other], { url: `http://page.example:${site.port}/`, headers });
  const sent = [...site.seen.slice(0, 2), ...other.seen, ...site.seen.slice(2)].map((seen) => seen.headers);
  expect(bodyOf(outcome)).toBe("done");
  expect(sent).toHaveLength(4);
  expect(sent.map((each) => each["user-agent"])).toEqual(["Steward", "Steward", "Steward", "Steward"]);
  for (const name of Object.keys(secrets).map((each) => each.toLowerCase()))
    expect(sent.map((each) => each[name] !== undefined)).toEqual([true, true, false, false]);
});

test("a change of port is a change of origin", async () => {
  const second = await serve((_request, response) => response.end());
  const first = await serve((_request, response) => redirect(response, 302, `http://page.example:${second.port}/`));
  const headers = { authorization: "Bearer x" };
  await fetchPage([first, second], { url: `http://page.example:${first.port}/`, headers });
  expect(second.seen).toMatchObject([{ url: "/" }]);
  expect(second.seen[0]?.headers.authorization).toBeUndefined();
});

test.each([
  [301, "POST", "GET", ""],
  [302, "POST", "GET", ""],
  [303, "PUT", "GET", ""],
  [303, "HEAD", "HEAD", ""],
  [302, "PUT", "PUT", "form"],
  [307, "POST", "POST", "form"],
  [308, "PATCH", "PATCH", "form"],
] as const)("a %i answer to %s is followed by %s", async (status, method, followedBy, body) => {
  const site = await serve((request, response) =>
    request.url === "/" ? redirect(response, status, "/b") : response.end(),
  );
  const form = method === "HEAD" ? {} : { body: Buffer.from("form"), headers: { "content-type": "text/plain" } };
  await fetchPage([site], { url: `http://page.example:${site.port}/`, method, ...form });
  expect(site.seen[1]).toMatchObject({ url: "/b", method: followedBy, body });
  expect(site.seen[1]?.headers["content-type"]).toBe(body === "" ? undefined : "text/plain");
});

test("a body is never carried on to another origin", async () => {
  const other = await serve((_request, response) => response.end());
  const site = await serve((_request, response) => redirect(response, 307, `http://other.example:${other.port}/`));
  const request = { url: `http://page.example:${site.port}/`, method: "POST", body: Buffer.from("token") } as const;
  expect(await fetchPage([site, other], request)).toMatchObject({ kind: "refused", rule: "redirect" });
  expect(other.seen).toEqual([]);
});

test("a redirect loop ends at the limit that was given", async () => {
  const site = await serve((_request, response) => redirect(response, 302, "/"));
  const outcome = await fetchPage([site], { url: `http://page.example:${site.port}/`, limits: { maxRedirects: 2 } });
  expect(outcome).toMatchObject({ kind: "refused", rule: "redirect", reason: "more than 2 redirects" });
  expect(site.seen).toHaveLength(3);
});

test("a redirect without a location is an answer like any other", async () => {
  const site = await serve((_request, response) => response.writeHead(302).end("nowhere"));
  expect(bodyOf(await fetchPage([site], { url: `http://page.example:${site.port}/` }))).toBe("nowhere");
});

test("a location in UTF-8 leads where its letters say", async () => {
  const site = await serve((request, response) => {
    if (request.url === "/") redirect(response, 302, Buffer.from("/käse").toString("latin1"));
    else response.end();
  });
  await fetchPage([site], { url: `http://page.example:${site.port}/` });
  expect(site.seen[1]?.url).toBe("/k%C3%A4se");
});

test("cookies that a site sets are neither kept nor shown", async () => {
  const site = await serve((request, response) => {
    response.setHeader("set-cookie", ["a=b", "c=d"]);
    if (request.url === "/") redirect(response, 302, "/next");
    else response.setHeader("x-page", "1").end();
  });
  const outcome = await fetchPage([site], { url: `http://page.example:${site.port}/` });
  expect(site.seen[1]?.headers.cookie).toBeUndefined();
  expect(outcome).toMatchObject({ headers: { "x-page": "1" } });
  expect(outcome.kind === "response" && Object.keys(outcome.headers)).not.toContain("set-cookie");
});

test.each([
  ["a line break in a value", { "x-a": "1\r\nHost: evil.example" }],
  ["a NUL in a value", { "x-a": "1\0" }],
  ["a line break in a name", { "x-a\r\nHost": "evil.example" }],
  ["a colon in a name", { "x-a:": "1" }],
  ["an own Host", { Host: "evil.example" }],
  ["an own framing", { "Transfer-Encoding": "chunked" }],
  ["an own length", { "content-length": "5" }],
  ["a proxy header", { "Proxy-Authorization": "Basic x" }],
  ["the same header twice", { "x-a": "1", "X-A": "2" }],
])("a request with %s is refused before anything is sent", async (_what, headers) => {
  const site = await serve((_request, response) => response.end());
  const outcome = await fetchPage([site], { url: `http://page.example:${site.port}/`, headers });
  expect(outcome).toMatchObject({ kind: "refused", rule: "header", connected: [] });
  expect(outcome.kind === "refused" && outcome.reason).not.toContain("evil");
  expect(site.seen).toEqual([]);
});

test("line breaks in a URL cannot add a header: raw ones are refused, encoded ones stay encoded", async () => {
  const site = await serve((_request, response) => response.end());
  const raw = await fetchPage([site], { url: `http://page.example:${site.port}/\r\nX-Evil: 1` });
  await fetchPage([site], { url: `http://page.example:${site.port}/%0d%0aX-Evil:%201` });
  expect(raw).toMatchObject({ kind: "refused", rule: "text" });
  expect(site.seen).toMatchObject([{ url: "/%0d%0aX-Evil:%201" }]);
  expect(site.seen[0]?.headers["x-evil"]).toBeUndefined();
});

test("a user name and password are not repeated in the refusal", async () => {
  const outcome = await fetchPage([], { url: "http://user:hunter2@page.example/" });
  expect(outcome).toMatchObject({ kind: "refused", rule: "user info", url: "http://page.example/" });
});

test("each hop has exactly one look-up", async () => {
  const site = await serve((request, response) =>
    request.url === "/" ? redirect(response, 302, "/b") : response.end(),
  );
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    return ["127.0.0.1"];
  };
  await guardedFetch({ ...depsFor([site]), resolve }, requestFor({ url: `http://page.example.:${site.port}/` }));
  expect(asked).toEqual(["page.example", "page.example"]);
});

test("a look-up that fails, or finds nothing, is a failure", async () => {
  const broken = () => Promise.reject(new Error("ESERVFAIL"));
  const request = requestFor({ url: "http://page.example/" });
  const failed = await guardedFetch({ ...depsFor([]), resolve: broken }, request);
  const empty = await guardedFetch({ ...depsFor([]), resolve: async () => [] }, request);
  expect(failed).toMatchObject({ kind: "failed", failure: "look-up", connected: [] });
  expect(failed.kind === "failed" && failed.reason).toBe("the look-up of page.example failed: ESERVFAIL");
  expect(empty).toMatchObject({ kind: "failed", failure: "look-up", reason: "page.example resolves to no address" });
});

test("if the first checked address is dead, the next checked one is used", async () => {
  const site = await serve((_request, response) => response.end("alive"));
  const deps = { ...depsFor([site]), resolve: async () => ["::1", "127.0.0.1"] };
  const outcome = await guardedFetch(deps, requestFor({ url: `http://page.example:${site.port}/` }));
  expect(outcome).toMatchObject({ kind: "response", connected: ["127.0.0.1"] });
});

async function serve(answer: RequestListener): Promise<{ port: number; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const body = await readText(request);
    seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, seen };
}

async function serveTrap() {
  const secret = await serve((_request, response) => response.end("secret"));
  const front = await serve((_request, response) => redirect(response, 302, `http://127.0.0.1:${secret.port}/`));
  return { front, secret };
}

function redirect(response: Parameters<RequestListener>[1], status: number, location: string): void {
  response.writeHead(status, { location }).end();
}

function depsFor(sites: readonly { port: number }[]): FetchDeps {
  return {
    resolve: async () => ["127.0.0.1"],
    connect: openTransport(),
    nowMs: () => Date.now(),
    allowAddress: (address, port) =>
      (address === "127.0.0.1" || address === "::1") && sites.some((site) => site.port === port),
  };
}

type Wish = Partial<Omit<FetchRequest, "limits">> & { url: string; limits?: Partial<FetchRequest["limits"]> };

function requestFor(wish: Wish): FetchRequest {
  const limits = { maxBytes: 100_000, timeoutMs: 10_000, maxDecompressionRatio: 100, ...wish.limits };
  return { method: "GET", headers: {}, signal: new AbortController().signal, ...wish, limits };
}

function fetchPage(allowed: readonly { port: number }[], wish: Wish): Promise<FetchOutcome> {
  return guardedFetch(depsFor(allowed), requestFor(wish));
}

function bodyOf(outcome: FetchOutcome): string {
  return outcome.kind === "response" ? Buffer.from(outcome.body).toString() : JSON.stringify(outcome);
}
