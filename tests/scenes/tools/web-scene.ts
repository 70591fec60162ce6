// A site on loopback, and the web tools that reach it through the real guarded fetch, with an exception for its port alone.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { SearchSettings } from "../../../src/contract/settings.ts";
import type { BoundCall, Tool, ToolContext, ToolResult } from "../../../src/contract/tool.ts";
import type { FetchRequest } from "../../../src/guard/address/fetch-outcome.ts";
import { guardedFetch } from "../../../src/guard/address/guarded-fetch.ts";
import { openTransport } from "../../../src/guard/address/real-network.ts";
import type { FetchPage } from "../../../src/tools/web/fetch-page.ts";
import { type WebToolDeps, webTools } from "../../../src/tools/web/web-tools.ts";

export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

export type WebScene = {
  port: number;
  /** The address of a path on the site, as site.example or another name. */
  url(path: string, host?: string): string;
  requests: { url: string; userAgent: string; host: string }[];
  fetchPage: FetchPage;
  /** What the tools asked of the guarded fetch. */
  asked: Pick<FetchRequest, "url" | "limits">[];
  setNowMs(nowMs: number): void;
  tool(name: string): Tool;
  bind(tool: string, args: unknown): BoundCall;
  call(tool: string, args: unknown, signal?: AbortSignal): Promise<ToolResult>;
};

export async function webScene(
  serve: Serve,
  changes: Partial<WebToolDeps> & { timeoutMs?: number } = {},
): Promise<WebScene> {
  const requests: WebScene["requests"] = [];
  const asked: WebScene["asked"] = [];
  const server = createServer((request, response) => {
    const { "user-agent": userAgent = "", host = "" } = request.headers;
    requests.push({ url: request.url ?? "", userAgent, host });
    serve(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  let nowMs = 1_000_000;
  let ids = 0;
  const fetchPage: FetchPage = (request) => {
    asked.push({ url: request.url, limits: request.limits });
    const limits = { ...request.limits, ...(changes.timeoutMs && { timeoutMs: changes.timeoutMs }) };
    return guardedFetch(
      {
        resolve: async () => ["127.0.0.1"],
        connect: openTransport(),
        nowMs: Date.now,
        allowAddress: (address, wanted) => address === "127.0.0.1" && wanted === port,
      },
      { ...request, limits },
    );
  };
  const tools = webTools({
    version: "1.2.3",
    fetchPage,
    fetchSearch: fetchPage,
    world: { nowMs: () => nowMs, newId: (prefix) => `${prefix}_${(++ids).toString().padStart(4, "0")}` },
    search: SearchSettings.parse({}),
    readKey: async () => undefined,
    ...changes,
  });
  const setNowMs = (next: number) => {
    nowMs = next;
  };
  return {
    port,
    url: (path, host = "site.example") => `http://${host}:${port}${path}`,
    requests,
    fetchPage,
    asked,
    setNowMs,
    tool,
    bind,
    call,
  };

  function tool(name: string): Tool {
    const found = tools.find((candidate) => candidate.name === name);
    if (!found) throw new Error(`there is no tool ${name}`);
    return found;
  }

  function bind(name: string, args: unknown): BoundCall {
    const bound = tool(name).bind(args);
    if (!bound.ok) throw new Error(bound.message);
    return bound.call;
  }

  function call(name: string, args: unknown, signal = new AbortController().signal): Promise<ToolResult> {
    const context: ToolContext = {
      conversation: "c1",
      turn: "t1",
      callId: "k1",
      asker: { kind: "owner", id: "owner" } as const,
      workspace: "/",
      signal,
      progress: () => {},
    };
    return bind(name, args).run(context);
  }
}

/** Serves one body under every path. */
export function page(body: string | Uint8Array, contentType = "text/html; charset=utf-8", status = 200): Serve {
  return (_request, response) => {
    response.writeHead(status, { "content-type": contentType });
    response.end(body);
  };
}
