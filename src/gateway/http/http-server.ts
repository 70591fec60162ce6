// What the door loads when the first visitor comes: requests go to routes and pages, upgrades to whoever serves them.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Route } from "../../contract/room/route.ts";
import type { Access } from "../access/access.ts";
import { sessionCookieName } from "../access/session-cookie.ts";
import { sessionRoutes } from "../rest/session-routes.ts";
import { answerPage } from "./answer-page.ts";
import { answerRoute } from "./answer-route.ts";
import type { Ways } from "./client-address.ts";
import { type DoorRules, examineRequest, type Visit } from "./examine-request.ts";
import { matchRoutes } from "./match-route.ts";
import { ownHosts } from "./own-hosts.ts";
import { ignoreBody } from "./read-body.ts";
import { notFound, type Refusal, refusalOf } from "./refusal.ts";
import type { DoorLimits } from "./request-limits.ts";
import { openStaticFiles } from "./static-files.ts";
import { setCommonHeaders, writeRefusal } from "./write-answer.ts";

export type ServeUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer, from: string) => void;

export type HttpServerDeps = {
  host: string;
  port: number;
  allowedHosts: readonly string[];
  publicUrl: string | undefined;
  ways: Ways;
  limits: DoorLimits;
  routes(): Promise<readonly Route[]>;
  access: Access;
  webFolder: string;
  onUpgrade(): Promise<ServeUpgrade>;
  /** Somebody has been recognised on this connection. */
  onKnown(socket: Socket): void;
  onHandOver(socket: Socket): void;
  onTrouble(message: string, cause: unknown): void;
};

export function createHttpServer(deps: HttpServerDeps): Server {
  const { limits, access } = deps;
  const rules: DoorRules = { hosts: ownHosts(deps), ways: deps.ways, publicUrl: deps.publicUrl };
  const strictTransport = deps.publicUrl?.startsWith("https:") === true;
  const files = openStaticFiles(deps.webFolder);
  const ownRoutes = sessionRoutes({ access, cookieName: () => sessionCookieName(deps.port) });
  let otherRoutes: Promise<readonly Route[]> | undefined;

  const server = createServer({
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    // another protocol that a client would like to speak is politely overheard
    shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === "websocket",
  });
  server.on("request", answer);
  server.on("checkContinue", answer);
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => undefined);
    upgrade(request, socket, head).catch((cause) => {
      deps.onTrouble("A WebSocket could not be opened.", cause);
      refuseUpgrade(socket, refusalOf(cause));
    });
  });
  // it never listens itself, but this is what starts its own clock over headers and requests
  server.emit("listening");
  return server;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    setCommonHeaders(response, "answer", strictTransport);
    response.setHeader("Content-Type", "application/json; charset=utf-8");
    dispatch(request, response)
      .catch((cause) => fail(request, response, cause))
      .finally(() => ignoreBody(request));
  }

  async function dispatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const visit = examineRequest(rules, request);
    if ("status" in visit) return writeRefusal(response, visit);
    const matched = matchRoutes([...ownRoutes, ...(await loadRoutes())], visit.target.segments);
    const isPage = matched.size === 0;
    const allowed = isPage ? ["GET"] : [...matched.keys()];
    const method = request.method === "HEAD" ? "GET" : (request.method ?? "");
    if (request.method === "OPTIONS") return void response.writeHead(204, allowHeader(allowed)).end();
    if (!allowed.includes(method)) return writeRefusal(response, wrongMethod(allowed));
    if (isPage) {
      response.removeHeader("Content-Type");
      return answerPage({ files, strictTransport }, visit.target, request, response);
    }
    if (visit.pageOnly) return writeRefusal(response, foreignLink);
    const found = matched.get(method);
    if (!found) return writeRefusal(response, notFound);
    const onKnown = () => deps.onKnown(request.socket);
    await answerRoute({ access, maxBodyBytes: limits.maxBodyBytes, onKnown }, visit, found, request, response);
  }

  function loadRoutes(): Promise<readonly Route[]> {
    otherRoutes ??= deps.routes().catch((cause) => {
      otherRoutes = undefined;
      throw cause;
    });
    return otherRoutes;
  }

  function fail(request: IncomingMessage, response: ServerResponse, cause: unknown): void {
    const refusal = refusalOf(cause);
    if (refusal.status === 500) deps.onTrouble(`${request.method} was asked for and failed.`, cause);
    // half an answer cannot be taken back, only broken off
    if (response.headersSent) response.destroy();
    else writeRefusal(response, refusal);
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const visit: Visit | Refusal = examineRequest(rules, request);
    if ("status" in visit) return refuseUpgrade(socket, visit);
    if (visit.pageOnly) return refuseUpgrade(socket, foreignLink);
    if (visit.target.path !== "/ws" || request.method !== "GET") return refuseUpgrade(socket, notFound);
    const serve = await deps.onUpgrade();
    if (socket.destroyed) return;
    deps.onHandOver(request.socket);
    serve(request, socket, head, visit.from);
  }
}

const foreignLink: Refusal = { status: 403, code: "forbidden", message: "Another site's page may not ask this." };

function wrongMethod(allowed: readonly string[]): Refusal {
  const headers = allowHeader(allowed);
  return { status: 405, code: "invalid", message: `This address takes ${headers.Allow}.`, headers };
}

function allowHeader(methods: readonly string[]): { Allow: string } {
  return { Allow: [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ") };
}

function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
  const body = JSON.stringify({ error: { code: refusal.code, message: refusal.message } });
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} Refused`,
      "Connection: close",
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "",
      body,
    ].join("\r\n"),
  );
}
