import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { defineRoute, type Route } from "../../../src/contract/room/route.ts";
import type { Caller } from "../../../src/contract/wire/caller.ts";
import { realWorld } from "../../../src/contract/world.ts";
import { openAccess, type TokenWish } from "../../../src/gateway/access/access.ts";
import { sessionCookieName } from "../../../src/gateway/access/session-cookie.ts";
import { type HttpListenerDeps, openHttpListener } from "../../../src/gateway/http/http-listener.ts";
import { serveAccess } from "../../../src/gateway/methods/access-methods.ts";
import { sessionRoutes } from "../../../src/gateway/rest/session-routes.ts";
import { openAccessTokens } from "../../../src/store/tables/access-tokens.ts";
import { storeIn } from "../stores.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export const owner: Caller = { sender: { kind: "owner", id: "owner" }, scope: "owner" };
export const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string };
type Sent = { headers?: Record<string, string>; body?: string | Buffer };
export type HttpSceneOptions = Partial<Omit<HttpListenerDeps, "access" | "nowMs">> & {
  home?: string;
  environmentToken?: string;
  checkEndingsEveryMs?: number;
  moreRoutes?: readonly Route[];
};

/** A real listener on a free port over a real store, with a few routes; the clock can be put forward. */
export async function openHttpScene(options: HttpSceneOptions = {}) {
  const home = options.home ?? (await temporaryFolder());
  let aheadMs = 0;
  const nowMs = () => Date.now() + aheadMs;
  const store = await storeIn(home, { nowMs });
  const troubles: string[] = [];
  const onTrouble = (message: string, cause: unknown) =>
    void troubles.push(cause instanceof Error ? `${message} ${cause.stack}` : message);
  const seen: Caller[] = [];
  let port = 0;
  const cookieName = () => sessionCookieName(port);
  const access = openAccess({
    tokens: openAccessTokens(store),
    world: { ...realWorld, nowMs },
    environmentToken: options.environmentToken,
    cookieName,
    onTrouble,
    checkEndingsEveryMs: options.checkEndingsEveryMs ?? 50,
  });
  const listener = await openHttpListener({
    host: "127.0.0.1",
    port: 0,
    allowedHosts: [],
    trustedProxies: [],
    publicUrl: undefined,
    routes: async () => [...sessionRoutes({ access, cookieName }), ...testRoutes(seen), ...(options.moreRoutes ?? [])],
    webFolder: join(home, "page"),
    onUpgrade: async () => (_request, socket, _head, from) =>
      void socket.end(`HTTP/1.1 101 Switching Protocols\r\nX-From: ${from}\r\n\r\n`),
    onTrouble,
    note() {},
    nowMs,
    ...options,
    access,
  });
  port = listener.port;
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      await access.close();
      await listener.close();
      await store.close();
    })();
    return closing;
  };
  onTestFinished(close);

  const send = (method: string, path: string, sent: Sent = {}) => sendTo(port, method, path, sent);
  const signIn = async (headers: Record<string, string> = {}) => {
    const answer = await send("POST", "/api/session", json({ code: access.createCode().code }, headers));
    return { answer, cookie: String(answer.headers["set-cookie"]?.[0]).split(";")[0] ?? "" };
  };
  return {
    home,
    store,
    access,
    listener,
    port,
    troubles,
    /** Callers that reached a route, in order. */
    seen,
    methods: serveAccess({ access, pageUrl: () => listener.url }),
    advance: (ms: number) => {
      aheadMs += ms;
    },
    send,
    raw: (text: string) => sendRaw(port, text),
    connect: () => openSocket(port),
    signIn,
    token: async (wish: Partial<TokenWish> = {}) =>
      (await access.create(owner, { name: "a program", scope: "owner", ...wish })).token,
    close,
  };
}

export function json(body: unknown, headers: Record<string, string> = {}): Sent {
  return { body: JSON.stringify(body), headers: { "Content-Type": "application/json", ...headers } };
}

export function bearer(token: string): { headers: Record<string, string> } {
  return { headers: { Authorization: `Bearer ${token}` } };
}

export function errorOf(answer: Answer): { code: string; message: string } {
  return z.object({ error: z.object({ code: z.string(), message: z.string() }) }).parse(JSON.parse(answer.text)).error;
}

function sendTo(port: number, method: string, path: string, sent: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { headers = {}, body } = sent;
    const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
    const request = httpRequest(
      { host: "127.0.0.1", port, method, path, agent: false, headers: { ...length, ...headers } },
      (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(pieces).toString("latin1"),
          }),
        );
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

/** Exactly these bytes; resolves with everything that came back until the connection was closed. */
async function sendRaw(port: number, text: string): Promise<string> {
  const { socket, received } = openSocket(port);
  socket.write(text);
  return received;
}

function openSocket(port: number): { socket: Socket; received: Promise<string> } {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.on("data", (piece: Buffer) => {
    text += piece.toString("latin1");
  });
  // a reset is one way of being turned away
  socket.on("error", () => undefined);
  return { socket, received: new Promise((resolve) => socket.on("close", () => resolve(text))) };
}

function testRoutes(seen: Caller[]): readonly Route[] {
  const nothing = { params: z.strictObject({}), query: z.strictObject({}), body: z.undefined(), responses: {} };
  const plain = (path: string, scopes: Route["scopes"], method: "GET" | "POST" = "GET") =>
    defineRoute({
      ...nothing,
      method,
      path,
      summary: "",
      scopes,
      answer: async ({ caller, from }) => {
        seen.push(caller);
        return { status: 200, body: { from, scope: caller.scope, sender: caller.sender.kind } };
      },
    });
  return [
    plain("/api/owner", []),
    plain("/api/read", ["read"]),
    plain("/api/approve", ["approve"]),
    plain("/api/task", ["task"]),
    plain("/api/open", "anyone"),
    plain("/api/kill", [], "POST"),
    defineRoute({
      ...nothing,
      method: "POST",
      path: "/api/things/:id",
      summary: "",
      scopes: [],
      params: z.strictObject({ id: z.string().max(20) }),
      query: z.strictObject({ limit: z.coerce.number().int().optional() }),
      body: z.strictObject({ text: z.string() }),
      answer: async ({ path, query, body }) => ({ status: 200, body: { ...path, ...query, ...body } }),
    }),
    defineRoute({
      ...nothing,
      method: "GET",
      path: "/api/large",
      summary: "",
      scopes: [],
      answer: async () => ({
        status: 200,
        bytes: Buffer.alloc(40 * 1024 * 1024),
        headers: { "Content-Type": "application/octet-stream" },
      }),
    }),
    defineRoute({
      ...nothing,
      method: "GET",
      path: "/api/events",
      summary: "",
      scopes: [],
      answer: async ({ signal }) => ({
        stream(response) {
          response.writeHead(200, { "Content-Type": "text/event-stream" });
          response.write("data: first\n\n");
          const timer = setInterval(() => response.write("data: next\n\n"), 100);
          signal.addEventListener("abort", () => clearInterval(timer));
        },
      }),
    }),
    defineRoute({
      ...nothing,
      method: "GET",
      path: "/api/broken",
      summary: "",
      scopes: "anyone",
      answer: async () => {
        throw new Error("ENOENT: /secret/place/auth.json sk-ant-secret");
      },
    }),
  ];
}
