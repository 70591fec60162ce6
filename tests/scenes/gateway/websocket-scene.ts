// The assistant with its WebSocket endpoint on a free port, for a plain client to talk to.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";
import type { Scope } from "../../../src/contract/wire/access.ts";
import { realWorld } from "../../../src/contract/world.ts";
import { openAccess } from "../../../src/gateway/access/access.ts";
import { openWebSocketEndpoint, type WebSocketDeps } from "../../../src/gateway/websocket/web-socket-endpoint.ts";
import { openAccessTokens } from "../../../src/store/tables/access-tokens.ts";
import { connectPlain } from "../../fakes/plain-ws-client.ts";
import { type AssistantOptions, openAssistant } from "../assistant.ts";

/** Real tokens and the real endpoint. */
export async function openWebSocketScene(options: AssistantOptions & { endpoint?: Partial<WebSocketDeps> }) {
  const assistant = await openAssistant(options);
  const { log, database } = assistant.store;
  const onTrouble = (message: string, cause: unknown) => assistant.troubles.push([message, cause]);
  const access = openAccess({
    tokens: openAccessTokens({ database, log }),
    world: realWorld,
    environmentToken: undefined,
    cookieName: () => "steward",
    onTrouble,
  });
  const endpoint = openWebSocketEndpoint({
    gateway: assistant.gateway,
    access,
    log,
    nowMs: Date.now,
    onTrouble,
    health: () => ({ status: "ok", uptime: 7 }),
    ...options.endpoint,
  });
  const server = createServer();
  const serverSockets: Duplex[] = [];
  server.on("upgrade", (request: IncomingMessage, socket, head) => {
    serverSockets.push(socket);
    // stands for the address that the HTTP endpoint works out
    endpoint.upgrade(request, socket, head, String(request.headers["x-from"] ?? "127.0.0.1"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`;
  onTestFinished(async () => {
    await endpoint.close();
    await access.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const owner = { sender: { kind: "owner", id: "owner" }, scope: "owner" } as const;
  const newToken = (scope: Scope = "owner", sessionKey?: string) =>
    access.create(owner, { name: "a test", scope, conversation: sessionKey });
  return {
    ...assistant,
    url,
    endpoint,
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
