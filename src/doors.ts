// The wiring of everything by which people and programs come in: the methods, the local socket, the web.
import { join } from "node:path";
import { CallRefused } from "./contract/client.ts";
import { Failure } from "./contract/failure.ts";
import { activityMethods } from "./contract/methods/activity.ts";
import { hookMethods } from "./contract/methods/hooks.ts";
import { pushMethods } from "./contract/methods/push.ts";
import { settingsMethods } from "./contract/methods/settings.ts";
import { toolMethods } from "./contract/methods/tools.ts";
import type { Route } from "./contract/room/route.ts";
import type { Settings } from "./contract/settings.ts";
import type { Tool } from "./contract/tool.ts";
import type { World } from "./contract/world.ts";
import { openAccess } from "./gateway/access/access.ts";
import { sessionCookieName } from "./gateway/access/session-cookie.ts";
import type { ServedMethods } from "./gateway/call-method.ts";
import { type Gateway, openGateway } from "./gateway/gateway.ts";
import { type HttpDoor, openHttpDoor } from "./gateway/http/http-listener.ts";
import type { ServeUpgrade } from "./gateway/http/http-server.ts";
import type { LiveBus } from "./gateway/live-bus.ts";
import { type LocalSocket, openLocalSocket } from "./gateway/local-socket.ts";
import { serveAccess } from "./gateway/methods/access-methods.ts";
import { type ConversationDeps, serveConversations } from "./gateway/methods/conversation-methods.ts";
import { serveLazily } from "./gateway/methods/serve-lazily.ts";
import type { ApprovalPush } from "./gateway/push/approval-push.ts";
import type { PushKeys } from "./gateway/push/push-keys.ts";
import type { WebSocketDoor } from "./gateway/websocket/web-socket-endpoint.ts";
import { fetchGuarded } from "./guard/address/guarded-network.ts";
import type { Redactor } from "./guard/redaction/redactor.ts";
import type { Queue } from "./queue/queue.ts";
import { openAuthFile } from "./settings/auth-file.ts";
import type { SettingsFile } from "./settings/open-settings-file.ts";
import type { Store } from "./store/open-store.ts";
import { type MessageSearch, openSqliteMessageSearch } from "./store/search/search-messages.ts";
import { openAccessTokens } from "./store/tables/access-tokens.ts";
import { listAgents } from "./workspace/list-agents.ts";

export const owner = { sender: { kind: "owner", id: "owner" }, scope: "owner" } as const;

export type DoorsDeps = {
  home: string;
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  version: string;
  mode: "chat" | "daemon";
  doors: boolean;
  webFolder: string;
  gatewayToken: string | undefined;
  socketPath: string;
  world: World;
  startedAtMs: number;
  workspace: string;
  store: Store;
  queue: Queue;
  live: LiveBus;
  models: ConversationDeps["models"] & { prepare(): Promise<void> };
  hands: Pick<ConversationDeps, "describeCommands" | "undoChanges"> & { tools(): Promise<readonly Tool[]> };
  openSettingsFile(): Promise<SettingsFile>;
  redactor: Redactor;
  fetch: typeof fetch;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Closes the house and opens it again with the saved settings. */
  restart(): void;
  onTrouble(message: string, cause: unknown): void;
};

export type Doors = {
  gateway: Gateway;
  /** A link that lets one browser in, or why there is none. */
  pageWords(): string;
  close(): Promise<void>;
};

export async function openDoors(deps: DoorsDeps): Promise<Doors> {
  const { store, onTrouble } = deps;
  const search = openSqliteMessageSearch({ ...store, onTrouble });
  const web = deps.doors && deps.settings.gateway.enabled ? openWebParts(deps) : undefined;
  const gateway = openGateway({
    served: { ...serveRooms(deps, search, () => web?.describe() ?? whyNoPage(deps)), ...web?.served },
    log: store.log,
    live: deps.live,
    onFollow: () => void deps.models.prepare().catch((cause) => onTrouble("The model could not be prepared.", cause)),
    onTrouble,
  });
  let socket: LocalSocket | undefined;
  try {
    await web?.open(gateway);
    socket = await openLocalSocket({ path: deps.socketPath, gateway, caller: owner, onTrouble });
  } catch (cause) {
    await close();
    throw cause;
  }
  return { gateway, pageWords: () => web?.words() ?? whyNoPage(deps), close };

  async function close(): Promise<void> {
    await web?.close();
    await socket?.close();
    await search.close();
  }
}

function whyNoPage({ doors }: DoorsDeps): string {
  return doors
    ? "The web page is off, because the setting gateway.enabled is false."
    : "The web page is served by a Steward that keeps running. Start it with: npm start";
}

function serveRooms(deps: DoorsDeps, search: MessageSearch, describePage: () => string): ServedMethods {
  const { home, settings, world, store, queue, models, hands } = deps;
  const { redact } = deps.redactor;
  const receiving = { world, log: store.log, queue, maxWaiting: settings.queue.maxWaiting };
  return {
    ...serveConversations({
      ...receiving,
      ...store,
      queue,
      models,
      agents: async () => (await listAgents({ path: deps.workspace, mainName: settings.agent.name })).agents,
      describeCommands: hands.describeCommands,
      describePage,
      undoChanges: hands.undoChanges,
      about: { version: deps.version, home, mode: deps.mode, startedAtMs: deps.startedAtMs },
    }),
    ...serveLazily(settingsMethods, async () => {
      const { serveSettings } = await import("./gateway/methods/settings-methods.ts");
      const { openModelSetup } = await import("./models/choice/model-setup.ts");
      const settingsFile = await deps.openSettingsFile();
      const authFile = openAuthFile({ home });
      return serveSettings({
        settingsFile,
        authFile,
        modelSetup: openModelSetup({
          ...{ environment: deps.environment, fetch: deps.fetch, nowMs: world.nowMs, redact },
          settings: async () => (await settingsFile.read()).next,
          storedKeys: async () => (await authFile.read()).keys,
        }),
        chosenModel: async () => (await models.choose(undefined))[0]?.name ?? "none",
        append: (events) => store.log.append(events),
        hideValues: deps.redactor.addKnown,
        restart: deps.restart,
      });
    }),
    ...serveLazily(toolMethods, async () => {
      const { serveTools } = await import("./gateway/methods/tool-methods.ts");
      const { describeCommands, tools } = hands;
      return serveTools({
        ...receiving,
        ...store,
        tools,
        describeCommands,
        policyOf: (tool) => settings.guard.tools[tool],
      });
    }),
    ...serveLazily(activityMethods, async () => {
      const { serveActivity } = await import("./gateway/methods/activity-methods.ts");
      const folders = { auditFolder: join(home, "audit"), logsFolder: join(home, "logs") };
      return serveActivity({ ...store, ...folders, search, redact });
    }),
  };
}

type WebParts = {
  served: ServedMethods;
  describe(): string;
  words(): string;
  open(gateway: Gateway): Promise<void>;
  close(): Promise<void>;
};

/** What only browsers and programs elsewhere need. The page's port may be taken: a chat goes on without it, a daemon does not. */
function openWebParts(deps: DoorsDeps): WebParts {
  const { home, settings, world, store, onTrouble } = deps;
  const { port: wantedPort, publicUrl, ...place } = settings.gateway;
  let door: HttpDoor | undefined;
  let webSockets: WebSocketDoor | undefined;
  let trouble = "The web page is not open yet.";
  const access = openAccess({
    tokens: openAccessTokens(store),
    world,
    environmentToken: deps.gatewayToken,
    cookieName,
    onTrouble,
  });
  let pushKeys: Promise<() => Promise<PushKeys>> | undefined;
  let push: Promise<ApprovalPush> | undefined;
  // most houses tell nobody by push, and those that do must first have something to tell
  const stopListening = store.log.subscribe((events) => {
    const asked = events.flatMap((event) => (event.type === "approval.asked" ? [event.approvalId] : []));
    if (asked.length > 0) push ??= openPush(asked);
  });
  return {
    served: {
      ...serveAccess({ access, pageUrl }),
      ...serveLazily(pushMethods, async () => {
        const { servePush } = await import("./gateway/methods/push-methods.ts");
        return servePush({ ...store, keys: readPushKeys, nowMs: world.nowMs });
      }),
      ...serveLazily(hookMethods, async () => {
        const { serveHooks } = await import("./gateway/methods/hook-methods.ts");
        return serveHooks({ ...store, world });
      }),
    },
    describe: () => door?.url ?? trouble,
    words: () => (door ? `In the browser: ${door.url}/#code=${access.createCode().code}` : trouble),
    async open(gateway) {
      try {
        door = await openHttpDoor({
          ...place,
          port: wantedPort,
          publicUrl: publicUrl ?? undefined,
          routes: () => loadRoutes(gateway),
          access,
          webFolder: deps.webFolder,
          onUpgrade: () => loadWebSockets(gateway),
          nowMs: world.nowMs,
          onTrouble,
        });
      } catch (cause) {
        if (!(cause instanceof Failure) || deps.mode === "daemon") throw cause;
        trouble = `The web page is not served. ${cause.message}`;
      }
    },
    async close() {
      await webSockets?.close();
      await door?.close();
      stopListening();
      await (await push)?.close();
      access.close();
    },
  };

  async function openPush(asked: readonly string[]): Promise<ApprovalPush> {
    const { openApprovalPush } = await import("./gateway/push/approval-push.ts");
    const { nowMs } = world;
    const contact = publicUrl ?? "https://localhost";
    const parts = { keys: readPushKeys, redact: deps.redactor.redact, contact, nowMs, sleep: deps.sleep, onTrouble };
    return openApprovalPush({ ...store, ...parts, fetch: (request) => fetchGuarded(undefined, request) }, asked);
  }

  async function readPushKeys(): Promise<PushKeys> {
    pushKeys ??= import("./gateway/push/push-keys.ts").then(({ openPushKeys }) =>
      openPushKeys(join(home, "data", "push-keys.json")),
    );
    return (await pushKeys)();
  }

  function cookieName(): string {
    return sessionCookieName(door?.port ?? wantedPort);
  }

  function pageUrl(): string {
    if (!door) throw new CallRefused("conflict", trouble);
    return door.url;
  }

  async function loadRoutes(gateway: Gateway): Promise<readonly Route[]> {
    const { restRoutes } = await import("./gateway/rest/rest-routes.ts");
    const { sessionRoutes } = await import("./gateway/rest/session-routes.ts");
    const routes = restRoutes({
      ...{ world, ...store, queue: deps.queue, maxWaiting: settings.queue.maxWaiting, gateway, onTrouble },
      about: { version: deps.version, startedAtMs: deps.startedAtMs },
      url: pageUrl,
      cookieName,
      allRoutes: () => [...sessionRoutes({ access, cookieName }), ...routes],
      onAccessEnd: access.onEnd,
    });
    return routes;
  }

  async function loadWebSockets(gateway: Gateway): Promise<ServeUpgrade> {
    const { openWebSocketServer } = await import("./gateway/websocket/web-socket-endpoint.ts");
    const { nowMs } = world;
    const health = () => ({ status: "ok" as const, uptime: Math.floor((nowMs() - deps.startedAtMs) / 1000) });
    webSockets ??= openWebSocketServer({ gateway, access, log: store.log, nowMs, onTrouble, health });
    return webSockets.upgrade;
  }
}
