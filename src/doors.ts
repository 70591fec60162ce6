// The wiring of everything by which people and programs come in: the methods, the local socket, the web.
import type { Settings } from "./contract/settings.ts";
import type { World } from "./contract/world.ts";
import { type Gateway, openGateway } from "./gateway/gateway.ts";
import type { LiveBus } from "./gateway/live-bus.ts";
import { openLocalSocket } from "./gateway/local-socket.ts";
import { type ConversationDeps, serveConversations } from "./gateway/methods/conversation-methods.ts";
import type { Queue } from "./queue/queue.ts";
import type { Store } from "./store/open-store.ts";
import { listAgents } from "./workspace/list-agents.ts";

export const owner = { sender: { kind: "owner", id: "owner" }, scope: "owner" } as const;

export type DoorsDeps = {
  home: string;
  settings: Settings;
  version: string;
  mode: "chat" | "daemon";
  socketPath: string;
  world: World;
  startedAtMs: number;
  workspace: string;
  store: Store;
  queue: Queue;
  live: LiveBus;
  models: ConversationDeps["models"] & { prepare(): Promise<void> };
  hands: Pick<ConversationDeps, "describeCommands" | "undoChanges">;
  onTrouble(message: string, cause: unknown): void;
};

export type Doors = { gateway: Gateway; close(): Promise<void> };

export async function openDoors(deps: DoorsDeps): Promise<Doors> {
  const { home, settings, world, store, queue, models, onTrouble } = deps;
  const conversations = serveConversations({
    world,
    ...store,
    queue,
    maxWaiting: settings.queue.maxWaiting,
    models,
    agents: async () => (await listAgents({ path: deps.workspace, mainName: settings.agent.name })).agents,
    describeCommands: deps.hands.describeCommands,
    undoChanges: deps.hands.undoChanges,
    about: { version: deps.version, home, mode: deps.mode, startedAtMs: deps.startedAtMs },
  });
  const gateway = openGateway({
    served: conversations,
    log: store.log,
    live: deps.live,
    onFollow: () => void models.prepare().catch((cause) => onTrouble("The model could not be prepared.", cause)),
    onTrouble,
  });
  const socket = await openLocalSocket({ path: deps.socketPath, gateway, caller: owner, onTrouble });
  return { gateway, close: () => socket.close() };
}
