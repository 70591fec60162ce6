// The way in for browsers and programs elsewhere: the page, HTTP, WebSocket and tokens.

import { Failure } from "../../contract/failure.ts";
import type { Room, RoomDefinition } from "../../contract/room/room.ts";
import type { RoomBase } from "../../contract/room/room-base.ts";
import type { Route } from "../../contract/room/route.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import type { Queue } from "../../queue/queue.ts";
import type { Store } from "../../store/open-store.ts";
import type { Gateway } from "../gateway.ts";
import type { WebSocketEndpoint } from "../websocket/web-socket-endpoint.ts";
import type { HttpListener } from "./http-listener.ts";
import type { ServeUpgrade } from "./http-server.ts";

export type HttpBase = Pick<RoomBase, "version" | "settings" | "world" | "trouble" | "note" | "offered"> & {
  store: Store;
  queue: Queue;
  gateway: Gateway;
  mode: "chat" | "daemon";
  startedAtMs: number;
  /** False: it lives for one command, and nobody else is let in. */
  servesPage: boolean;
  /** The built page. */
  webFolder: string;
  /** An owner's token that the environment gives. */
  gatewayToken: string | undefined;
  /** How often a quiet stream of events is kept alive. */
  heartbeatMs?: number;
};

export const httpRoom: RoomDefinition<HttpBase> = {
  name: "http",
  async open(base) {
    if (!base.servesPage)
      return saying("The web page is served by a Steward that keeps running. Start it with: npm start");
    if (!base.settings.gateway.enabled)
      return saying("The web page is off, because the setting gateway.enabled is false.");
    return openHttp(base);
  },
};

function saying(page: string): Room {
  return { status: async () => ({ page }) };
}

async function openHttp(base: HttpBase): Promise<Room> {
  const { accessMethods } = await import("../../contract/wire/methods/access.ts");
  const { serveMethods } = await import("../../contract/room/room-methods.ts");
  const { openAccessTokens } = await import("../../store/tables/access-tokens.ts");
  const { openAccess } = await import("../access/access.ts");
  const { sessionCookieName } = await import("../access/session-cookie.ts");
  const { serveAccess } = await import("../methods/access-methods.ts");
  const { settings, world, store, gateway, trouble } = base;
  const { port: wantedPort, publicUrl, enabled: _, ...place } = settings.gateway;
  let listener: HttpListener | undefined;
  let webSockets: WebSocketEndpoint | undefined;
  let whyClosed = "The web page is not open yet.";
  const cookieName = () => sessionCookieName(listener?.port ?? wantedPort);
  const access = openAccess({
    tokens: openAccessTokens(store),
    world,
    environmentToken: base.gatewayToken,
    cookieName,
    onTrouble: trouble,
  });
  return {
    methods: serveMethods(accessMethods, serveAccess({ access, pageUrl })),
    status: async () => ({ page: listener?.url ?? whyClosed }),
    start: listen,
    async close() {
      await webSockets?.close();
      await listener?.close();
      await access.close();
    },
  };

  // the port may be taken: a chat goes on without the page, a daemon does not
  async function listen(): Promise<void> {
    const { openHttpListener } = await import("./http-listener.ts");
    try {
      listener = await openHttpListener({
        ...place,
        port: wantedPort,
        publicUrl: publicUrl ?? undefined,
        routes: loadRoutes,
        access,
        webFolder: base.webFolder,
        onUpgrade: loadWebSockets,
        nowMs: world.nowMs,
        onTrouble: trouble,
        note: base.note,
      });
    } catch (cause) {
      if (!(cause instanceof Failure) || base.mode === "daemon") throw cause;
      whyClosed = `The web page is not served. ${cause.message}`;
    }
  }

  function pageUrl(): string {
    if (!listener) throw new CallRefused("conflict", whyClosed);
    return listener.url;
  }

  // asked for with the first request, when every room is open
  async function loadRoutes(): Promise<readonly Route[]> {
    const { restRoutes } = await import("../rest/rest-routes.ts");
    const deps = {
      ...{ world, ...store, queue: base.queue, maxWaiting: settings.queue.maxWaiting, gateway, onTrouble: trouble },
      about: { version: base.version, startedAtMs: base.startedAtMs },
      url: pageUrl,
      cookieName,
      access,
      heartbeatMs: base.heartbeatMs ?? 15_000,
    };
    return restRoutes(deps, await base.offered.routes());
  }

  async function loadWebSockets(): Promise<ServeUpgrade> {
    const { openWebSocketEndpoint } = await import("../websocket/web-socket-endpoint.ts");
    const { nowMs } = world;
    const health = () => ({ status: "ok" as const, uptime: Math.floor((nowMs() - base.startedAtMs) / 1000) });
    webSockets ??= openWebSocketEndpoint({ gateway, access, log: store.log, nowMs, onTrouble: trouble, health });
    return webSockets.upgrade;
  }
}
