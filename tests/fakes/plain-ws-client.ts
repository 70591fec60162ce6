// A client that knows nothing but `ws` and the protocol's words, and the house with its WebSocket door for it to knock at.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { Scope } from "../../src/contract/access.ts";
import { realWorld } from "../../src/contract/world.ts";
import { openAccess } from "../../src/gateway/access/access.ts";
import { openWebSocketEndpoint, type WebSocketDeps } from "../../src/gateway/websocket/web-socket-endpoint.ts";
import { openAccessTokens } from "../../src/store/tables/access-tokens.ts";
import { type AssistantOptions, openAssistant } from "../scenes/assistant.ts";

export type Frame = Record<string, unknown> & {
  id?: unknown;
  event?: string;
  data?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data: { reason: string } };
};

export type PlainClient = Awaited<ReturnType<typeof connectPlain>>;

/** Connects and says nothing yet. */
export async function connectPlain(
  url: string,
  options: { headers?: Record<string, string>; autoPong?: boolean } = {},
) {
  const socket = new WebSocket(url, options);
  const frames: Frame[] = [];
  const listeners = new Set<() => void>();
  let count = 0;
  socket.on("message", (data) => {
    frames.push(JSON.parse(String(data)));
    for (const listener of listeners) listener();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.once("close", (code, reason) => {
      resolve({ code, reason: String(reason) });
      for (const listener of listeners) listener();
    }),
  );
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  // a socket that breaks later is seen by its close
  socket.on("error", () => undefined);
  onTestFinished(() => socket.terminate());

  const until = <Found>(find: (frames: readonly Frame[]) => Found | undefined | false): Promise<Found> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = find(frames);
        if (found === undefined || found === false) {
          if (socket.readyState === WebSocket.CLOSED) reject(new Error("the socket closed before it came"));
          return;
        }
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      look();
    });
  const send = (frame: unknown) =>
    socket.send(typeof frame === "string" || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame));
  return {
    socket,
    frames,
    closed,
    until,
    send,
    async ask(method: string, params?: unknown): Promise<Frame> {
      count += 1;
      const id = `ask-${count}`;
      send({ id, method, params });
      return until((all) => all.find((frame) => frame.id === id));
    },
    async signIn(token?: string, more: Record<string, unknown> = {}): Promise<Frame> {
      send({ type: "auth", token, ...more });
      return until((all) => all.find((frame) => frame.type === "auth"));
    },
    /** The data of all push events of this name so far. */
    pushed: (event: string) => frames.flatMap((frame) => (frame.event === event && frame.data ? [frame.data] : [])),
    /** What a person reads of a run: a reset takes back what was shown. */
    textOf: (runId: unknown) =>
      frames.reduce((text, { event, data }) => {
        if (event !== "chat.delta" || !data || data.runId !== runId) return text;
        return data.reset ? "" : text + String(data.text);
      }, ""),
  };
}

/** The real house, real tokens and the real door on a free port. */
export async function openWebSocketScene(options: AssistantOptions & { door?: Partial<WebSocketDeps> }) {
  const house = await openAssistant(options);
  const { log, database } = house.store;
  const onTrouble = (message: string, cause: unknown) => house.troubles.push([message, cause]);
  const access = openAccess({
    tokens: openAccessTokens({ database, log }),
    world: realWorld,
    environmentToken: undefined,
    cookieName: () => "steward",
    onTrouble,
  });
  const door = openWebSocketEndpoint({
    gateway: house.gateway,
    access,
    log,
    nowMs: Date.now,
    onTrouble,
    health: () => ({ status: "ok", uptime: 7 }),
    ...options.door,
  });
  const server = createServer();
  const serverSockets: Duplex[] = [];
  server.on("upgrade", (request: IncomingMessage, socket, head) => {
    serverSockets.push(socket);
    // stands for the address that the HTTP door works out
    door.upgrade(request, socket, head, String(request.headers["x-from"] ?? "127.0.0.1"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`;
  onTestFinished(async () => {
    await door.close();
    access.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const owner = { sender: { kind: "owner", id: "owner" }, scope: "owner" } as const;
  const newToken = (scope: Scope = "owner", sessionKey?: string) =>
    access.create(owner, { name: "a test", scope, conversation: sessionKey });
  return {
    ...house,
    url,
    door,
    access,
    owner,
    serverSockets,
    newToken,
    /** A client that has been let in. */
    async enter(how: { scope?: Scope; sessionKey?: string; events?: "views" | "none" } = {}) {
      const { token } = await newToken(how.scope, how.sessionKey);
      const client = await connectPlain(url);
      await client.signIn(token, how.events ? { events: how.events } : {});
      return client;
    },
  };
}
