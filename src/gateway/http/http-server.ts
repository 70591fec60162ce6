// What is loaded with the first connection: requests go to routes and pages, upgrades to whoever serves them.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { loadOnce } from "../../contract/room/load-once.ts";
import type { Route } from "../../contract/room/route.ts";
import { answerPage } from "./answer-page.ts";
import { type AnswerRouteDeps, answerRoute, matchRoutes } from "./answer-route.ts";
import type { TrustedProxies } from "./client-address.ts";
import { examineRequest, type RequestRules } from "./examine-request.ts";
import { type OwnHostDeps, ownHosts } from "./own-hosts.ts";
import { ignoreBody } from "./read-body.ts";
import { foreignPage, invalid, notFound, type Refusal, refusalOf } from "./refusal.ts";
import { openStaticFiles } from "./static-files.ts";
import { refuseUpgrade, setCommonHeaders, writeRefusal } from "./write-answer.ts";

export type ServeUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer, from: string) => void;

export type HttpServerDeps = OwnHostDeps &
  AnswerRouteDeps & {
    proxies: TrustedProxies;
    /** Asked for once, when the first request comes. */
    routes(): Promise<readonly Route[]>;
    /** Where the built page lies. */
    webFolder: string;
    onUpgrade(): Promise<ServeUpgrade>;
    onHandOver(socket: Socket): void;
    onTrouble(message: string, cause: unknown): void;
    note(message: string, fields: Readonly<Record<string, unknown>>): void;
  };

export function createHttpServer(deps: HttpServerDeps): Server {
  const { limits } = deps;
  const rules: RequestRules = { hosts: ownHosts(deps), proxies: deps.proxies, publicUrl: deps.publicUrl };
  const strictTransport = deps.publicUrl?.startsWith("https:") === true;
  const files = openStaticFiles(deps.webFolder);
  const loadRoutes = loadOnce(deps.routes);
  const pipelines = new WeakMap<Socket, { last: Promise<void>; waiting: number }>();

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
    const sinceMs = performance.now();
    response.once("close", () => tellAnswered(request, response, sinceMs));
    setCommonHeaders(response, "answer", strictTransport);
    response.setHeader("Content-Type", "application/json; charset=utf-8");
    inTurn(request.socket, response)
      .then(() => (request.socket.destroyed ? undefined : dispatch(request, response)))
      .catch((cause) => fail(request, response, cause))
      .finally(() => ignoreBody(request));
  }

  // never what stands behind the question mark, which may let somebody in
  function tellAnswered(
    { method, url = "" }: IncomingMessage,
    { statusCode: status }: ServerResponse,
    sinceMs: number,
  ) {
    const durationMs = Math.round(performance.now() - sinceMs);
    deps.note("HTTP request", { method, path: url.split("?", 1)[0]?.slice(0, 200), status, durationMs });
  }

  // answers that nobody reads would pile up, each whole, behind the first (pipelining, backpressure)
  async function inTurn(socket: Socket, response: ServerResponse): Promise<void> {
    const open = pipelines.get(socket) ?? { last: Promise.resolve(), waiting: 0 };
    const before = open.last;
    const over = Promise.withResolvers<void>();
    pipelines.set(socket, open);
    open.last = over.promise;
    open.waiting += 1;
    response.once("close", () => {
      open.waiting -= 1;
      over.resolve();
    });
    if (open.waiting > limits.maxPipelined) socket.destroy();
    await before;
  }

  async function dispatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const examined = examineRequest(rules, request);
    if ("status" in examined) return writeRefusal(response, examined);
    const matched = matchRoutes(await loadRoutes(), examined.target.segments);
    const isPage = matched.size === 0;
    const allowed = isPage ? ["GET"] : [...matched.keys()];
    const method = request.method === "HEAD" ? "GET" : (request.method ?? "");
    if (request.method === "OPTIONS") return void response.writeHead(204, allowHeader(allowed)).end();
    if (isPage && method === "GET") {
      response.removeHeader("Content-Type");
      return answerPage({ files, strictTransport }, examined.target, response);
    }
    const found = matched.get(method);
    if (!found) return writeRefusal(response, wrongMethod(allowed));
    if (examined.pageOnly) return writeRefusal(response, foreignPage);
    await answerRoute(deps, { ...examined, ...found }, response);
  }

  function fail(request: IncomingMessage, response: ServerResponse, cause: unknown): void {
    const refusal = refusalOf(cause);
    if (refusal.status === 500) deps.onTrouble(`${request.method} was asked for and failed.`, cause);
    // half an answer cannot be taken back, only broken off
    if (response.headersSent) response.destroy();
    else writeRefusal(response, refusal);
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const examined = examineRequest(rules, request);
    if ("status" in examined) return refuseUpgrade(socket, examined);
    if (examined.pageOnly) return refuseUpgrade(socket, foreignPage);
    if (examined.target.path !== "/ws" || request.method !== "GET") return refuseUpgrade(socket, notFound);
    const serve = await deps.onUpgrade();
    if (socket.destroyed) return;
    deps.onHandOver(request.socket);
    deps.note("WebSocket opened", { from: examined.from });
    serve(request, socket, head, examined.from);
  }
}

function wrongMethod(allowed: readonly string[]): Refusal {
  const headers = allowHeader(allowed);
  return { ...invalid(`This address takes ${headers.Allow}.`, 405), headers };
}

function allowHeader(methods: readonly string[]): { Allow: string } {
  return { Allow: [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ") };
}
