// SearXNG, Brave Search and Tavily as their documentation describes them, on one port of loopback, with faults on demand.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export type FakeResult = { title: string; url: string; snippet: string };

export type SearchFault = "busy" | "broken" | "malformed" | "unexpected" | "no json" | "used up" | "redirect";

export type FakeSearchServer = {
  port: number;
  /** Where each of them answers. */
  places: { searxng: string; brave: string; tavily: string };
  key: string;
  results: FakeResult[];
  fault: SearchFault | undefined;
  asked: { provider: string; query: string; count: number | undefined; userAgent: string }[];
};

export async function startFakeSearchServer(): Promise<FakeSearchServer> {
  const server = createServer((request, response) => void answer(fake, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}`;
  const fake: FakeSearchServer = {
    port,
    places: { searxng: base, brave: `${base}/res/v1/web/search`, tavily: `${base}/tavily/search` },
    key: "search-key-1234",
    results: [],
    fault: undefined,
    asked: [],
  };
  return fake;
}

async function answer(fake: FakeSearchServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://fake");
  const body = await text(request);
  if (fake.fault) return fail(fake.fault, response);
  const userAgent = request.headers["user-agent"] ?? "";
  const note = (provider: string, query: string, count?: number) =>
    fake.asked.push({ provider, query, count, userAgent });
  if (request.method === "GET" && url.pathname === "/search") {
    note("searxng", url.searchParams.get("q") ?? "");
    if (url.searchParams.get("format") !== "json") return send(response, 200, "<html>results</html>");
    return send(response, 200, searxngAnswer(fake, url.searchParams.get("q") ?? ""));
  }
  if (request.method === "GET" && url.pathname === "/res/v1/web/search") {
    if (request.headers["x-subscription-token"] !== fake.key) return send(response, 401, braveError("unauthorized"));
    note("brave", url.searchParams.get("q") ?? "", Number(url.searchParams.get("count")));
    return send(response, 200, braveAnswer(fake, url.searchParams));
  }
  if (request.method === "POST" && url.pathname === "/tavily/search") {
    if (request.headers.authorization !== `Bearer ${fake.key}`)
      return send(response, 401, { detail: { error: "Unauthorized: missing or invalid API key." } });
    const wish = JSON.parse(body) as { query: string; max_results?: number };
    note("tavily", wish.query, wish.max_results);
    return send(response, 200, tavilyAnswer(fake, wish.query, wish.max_results ?? 5));
  }
  return send(response, 404, { error: "not found" });
}

// it returns a whole page of results, however many are wanted
function searxngAnswer(fake: FakeSearchServer, query: string) {
  const results = fake.results.map(({ title, url, snippet }) => ({
    url,
    title,
    content: snippet,
    engine: "duckduckgo",
    parsed_url: ["https", "example.org", "/", "", "", ""],
    engines: ["duckduckgo"],
    positions: [1],
    score: 1,
    category: "general",
  }));
  return { query, number_of_results: 0, results, answers: [], corrections: [], infoboxes: [], suggestions: [] };
}

// without results the whole "web" part is left out
function braveAnswer(fake: FakeSearchServer, params: URLSearchParams) {
  const results = fake.results.slice(0, Number(params.get("count"))).map(({ title, url, snippet }) => ({
    title,
    url,
    is_source_local: false,
    description: snippet,
    profile: { name: "Example", url, long_name: "example.org", img: "https://imgs.example/i.png" },
    language: "en",
    family_friendly: true,
    type: "search_result",
  }));
  const query = { original: params.get("q"), more_results_available: true };
  return { type: "search", query, ...(results.length > 0 && { web: { type: "search", results } }) };
}

function braveError(code: string) {
  return { type: "ErrorResponse", error: { id: "e1", status: 401, code, detail: "The token is not valid." } };
}

function tavilyAnswer(fake: FakeSearchServer, query: string, count: number) {
  const results = fake.results
    .slice(0, count)
    .map(({ title, url, snippet }) => ({ title, url, content: snippet, score: 0.9, raw_content: null }));
  return { query, answer: null, images: [], results, response_time: 0.8, request_id: "r1" };
}

const faults: Record<SearchFault, { status: number; headers?: Record<string, string>; body: unknown }> = {
  busy: { status: 429, headers: { "retry-after": "7" }, body: { error: "rate limited" } },
  broken: { status: 500, body: "<html>oops</html>" },
  malformed: { status: 200, body: '{"results": [{"title"' },
  unexpected: { status: 200, body: { results: "none", web: "none" } },
  "no json": { status: 403, body: "Forbidden" },
  "used up": { status: 432, body: { detail: { error: "This request exceeds your plan's set usage limit." } } },
  redirect: { status: 302, headers: { location: "http://10.0.0.1/search" }, body: "" },
};

function fail(fault: SearchFault, response: ServerResponse): void {
  const { status, headers = {}, body } = faults[fault];
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  send(response, status, body);
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": typeof body === "string" ? "text/html" : "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
