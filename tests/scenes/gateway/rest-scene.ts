// A house with its real door on a free port of this machine, and a client that speaks plain HTTP to it.
import { onTestFinished } from "vitest";
import type { Scope } from "../../../src/contract/access.ts";
import type { Route } from "../../../src/contract/room/route.ts";
import { realWorld } from "../../../src/contract/world.ts";
import { openAccess } from "../../../src/gateway/access/access.ts";
import { sessionCookieName } from "../../../src/gateway/access/session-cookie.ts";
import { callMethod } from "../../../src/gateway/call-method.ts";
import type { Gateway } from "../../../src/gateway/gateway.ts";
import { type HttpDoor, openHttpDoor } from "../../../src/gateway/http/http-listener.ts";
import { sessionRoutes } from "../../../src/gateway/rest/session-routes.ts";
import { serveAccess } from "../../../src/gateway/methods/access-methods.ts";
import { serveHooks } from "../../../src/gateway/methods/hook-methods.ts";
import { restRoutes } from "../../../src/gateway/rest/rest-routes.ts";
import { openAccessTokens } from "../../../src/store/tables/access-tokens.ts";
import { type HouseOptions, openHouse } from "../assistant.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const owner = { sender: { kind: "owner", id: "owner" }, scope: "owner" } as const;
const maxWaiting = 20;

export type RestSceneOptions = HouseOptions & { heartbeatMs?: number };
export type Answered = { status: number; headers: Headers; body: unknown };

export async function openRestScene(options: RestSceneOptions) {
  const house = await openHouse(options);
  const world = { ...realWorld, ...(options.nowMs && { nowMs: options.nowMs }) };
  const onTrouble = (message: string, cause: unknown) => house.troubles.push([message, cause]);
  let door: HttpDoor | undefined;
  const cookieName = () => sessionCookieName(door?.port ?? 0);
  const url = () => door?.url ?? "";
  const access = openAccess({
    tokens: openAccessTokens(house.store),
    world,
    environmentToken: undefined,
    cookieName,
    onTrouble,
  });
  onTestFinished(() => access.close());
  const further = {
    ...serveHooks({ database: house.store.database, world }),
    ...serveAccess({ access, pageUrl: url }),
  };
  const gateway: Gateway = {
    call: (caller, method, params) =>
      Object.hasOwn(further, method)
        ? callMethod(further, caller, method, params)
        : house.gateway.call(caller, method, params),
    follow: house.gateway.follow,
  };
  const routes: readonly Route[] = restRoutes({
    world,
    log: house.store.log,
    queue: house.queue,
    maxWaiting,
    gateway,
    database: house.store.database,
    attachments: house.store.attachments,
    about: { version: "0.0.0", startedAtMs: world.nowMs() },
    url,
    cookieName,
    allRoutes: () => [...sessionRoutes({ access, cookieName }), ...routes],
    onAccessEnd: access.onEnd,
    onTrouble,
    ...(options.heartbeatMs !== undefined && { heartbeatMs: options.heartbeatMs }),
  });
  door = await openHttpDoor({
    host: "127.0.0.1",
    port: 0,
    allowedHosts: [],
    trustedProxies: [],
    publicUrl: undefined,
    routes: async () => routes,
    access,
    webFolder: await temporaryFolder(),
    onUpgrade: async () => (_request, socket) => socket.destroy(),
    nowMs: world.nowMs,
    onTrouble,
  });
  const { port, close } = door;
  onTestFinished(close);
  const tokenFor = async (scope: Scope, sessionKey?: string) =>
    access.create(owner, { name: `for ${scope}`, scope, sessionKey });
  const { token } = await tokenFor("owner");
  const address = `http://127.0.0.1:${port}`;

  return {
    ...house,
    access,
    routes: () => [...sessionRoutes({ access, cookieName }), ...routes],
    address,
    port,
    token,
    tokenFor,
    closeDoor: close,
    request: (path: string, init: RequestInit = {}) => fetch(`${address}${path}`, withToken(init, token)),
    send: (method: string, path: string, body?: unknown, init: RequestInit = {}): Promise<Answered> =>
      ask(`${address}${path}`, withToken(bodied(method, body, init), token)),
  };
}
export type RestScene = Awaited<ReturnType<typeof openRestScene>>;

function bodied(method: string, body: unknown, init: RequestInit): RequestInit {
  if (body === undefined) return { method, ...init };
  const headers = { "content-type": "application/json", ...(init.headers as Record<string, string> | undefined) };
  return { ...init, method, body: JSON.stringify(body), headers };
}

// a test that names its own token, or an empty one for nobody, keeps it
function withToken(init: RequestInit, token: string): RequestInit {
  const given = (init.headers ?? {}) as Record<string, string>;
  const { authorization = `Bearer ${token}`, ...rest } = given;
  return { ...init, headers: authorization === "" ? rest : { ...rest, authorization } };
}

async function ask(url: string, init: RequestInit): Promise<Answered> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
