// Connections come in here, and everything that speaks HTTP is loaded with the first of them.
import type { Server as HttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { Failure } from "../../contract/failure.ts";
import type { Route } from "../../contract/room/route.ts";
import type { Access } from "../access/access.ts";
import { openTrustedProxies } from "./client-address.ts";
import { openConnections } from "./connections.ts";
import type { ServeUpgrade } from "./http-server.ts";
import { pageUrl } from "./own-hosts.ts";
import { type RequestLimits, usualLimits } from "./request-limits.ts";

export type HttpListenerDeps = {
  host: string;
  /** 0: any free port. */
  port: number;
  allowedHosts: readonly string[];
  trustedProxies: readonly string[];
  publicUrl: string | undefined;
  /** Asked for once, when the first request comes. */
  routes(): Promise<readonly Route[]>;
  access: Access;
  /** Where the built page lies. */
  webFolder: string;
  onUpgrade(): Promise<ServeUpgrade>;
  nowMs(): number;
  onTrouble(message: string, cause: unknown): void;
  limits?: Partial<RequestLimits>;
};

export type HttpListener = {
  /** Where a person finds the page. */
  url: string;
  port: number;
  close(): Promise<void>;
};

const closeGraceMs = 500;
// with the usual 511 a rush of followers after a restart would wait a second for the system to ask again
const backlog = 2_048;

export async function openHttpListener(deps: HttpListenerDeps): Promise<HttpListener> {
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
    url: pageUrl({ ...deps, port }),
    port,
    async close() {
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
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host, port, backlog }, () => {
        server.off("error", reject);
        resolve();
      });
    });
  } catch (cause) {
    throw new Failure(whyNot(cause, host, port), { cause });
  }
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : port;
}

function whyNot(cause: unknown, host: string, port: number): string {
  const place = `${host}:${port}`;
  switch (cause instanceof Error && "code" in cause ? cause.code : "") {
    case "EADDRINUSE":
      return `The gateway cannot listen on ${place}: another program does, probably another Steward or an OpenClaw gateway. Stop it, or set gateway.port to another number.`;
    case "EACCES":
      return `The gateway may not listen on ${place}: ports below 1024 belong to the system. Set gateway.port to a higher number.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `The gateway cannot listen on ${place}: this machine has no such address. Set gateway.host to 127.0.0.1 or to one it has.`;
    default:
      return `The gateway cannot listen on ${place}: ${cause instanceof Error ? cause.message : String(cause)}. Look at gateway.host and gateway.port.`;
  }
}
