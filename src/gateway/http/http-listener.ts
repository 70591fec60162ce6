// Connections come in here, and everything that speaks HTTP is loaded with the first of them.
import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { codeOf, Failure, reasonOf } from "../../contract/failure.ts";
import { openTrustedProxies } from "./client-address.ts";
import { openConnections } from "./connections.ts";
import type { HttpServerDeps } from "./http-server.ts";
import { pageUrl } from "./own-hosts.ts";
import { type RequestLimits, usualLimits } from "./request-limits.ts";

export type HttpListenerDeps = Omit<HttpServerDeps, "proxies" | "limits" | "onKnown" | "onHandOver"> & {
  trustedProxies: readonly string[];
  nowMs(): number;
  limits?: Partial<RequestLimits>;
};
export type HttpListener = Awaited<ReturnType<typeof openHttpListener>>;

const closeGraceMs = 500;
// with the usual 511 a rush of followers after a restart would wait a second for the system to ask again
const backlog = 2_048;

export async function openHttpListener(deps: HttpListenerDeps) {
  const limits = { ...usualLimits, ...deps.limits };
  const proxies = openTrustedProxies(deps.trustedProxies);
  let httpServer: Promise<HttpServer> | undefined;
  let port = deps.port;
  const connections = openConnections({ limits, isShared: proxies.isProxy, serve, nowMs: deps.nowMs });
  // paused: what a client sends before anybody listens stays with the system, and nothing of it is lost
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, connections.admit);
  port = await listen(server, deps.host, deps.port);
  server.on("error", (cause) => deps.onTrouble("The gateway's port reported an error.", cause));

  return {
    /** Where a person finds the page. */
    url: pageUrl({ ...deps, port }),
    port,
    async close(): Promise<void> {
      const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
      await connections.close(closeGraceMs);
      await stopped;
      // its clock must stop too; that it never listened is no news
      (await httpServer?.catch(() => undefined))?.close(() => undefined);
    },
  };

  function serve(socket: Socket): void {
    httpServer ??= loadHttp();
    httpServer.then(
      (http) => {
        if (socket.destroyed) return;
        http.emit("connection", socket);
        socket.resume();
      },
      (cause) => {
        httpServer = undefined;
        socket.destroy();
        deps.onTrouble("The gateway could not be loaded.", cause);
      },
    );
  }

  // Node's HTTP costs 18 MB, which a Steward that nobody visits need not have
  async function loadHttp(): Promise<HttpServer> {
    const { createHttpServer } = await import("./http-server.ts");
    const { recognise: onKnown, handOver: onHandOver } = connections;
    return createHttpServer({ ...deps, port, limits, proxies, onKnown, onHandOver });
  }
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  try {
    await once(server.listen({ host, port, backlog }), "listening");
  } catch (cause) {
    throw new Failure(whyNot(cause, host, port), { cause });
  }
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : port;
}

function whyNot(cause: unknown, host: string, port: number): string {
  const place = `${host}:${port}`;
  switch (codeOf(cause)) {
    case "EADDRINUSE":
      return `The gateway cannot listen on ${place}: another program does, probably another Steward or an OpenClaw gateway. Stop it, or set gateway.port to another number.`;
    case "EACCES":
      return `The gateway may not listen on ${place}: ports below 1024 belong to the system. Set gateway.port to a higher number.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `The gateway cannot listen on ${place}: this machine has no such address. Set gateway.host to 127.0.0.1 or to one it has.`;
    default:
      return `The gateway cannot listen on ${place}: ${reasonOf(cause)}. Look at gateway.host and gateway.port.`;
  }
}
