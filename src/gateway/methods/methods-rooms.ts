// What clients ask of the program itself: conversations, tools, and what happened.
import { join } from "node:path";
import type { RoomDefinition } from "../../contract/room/room.ts";
import type { RoomBase } from "../../contract/room/room-base.ts";
import type { Queue } from "../../queue/queue.ts";
import type { Store } from "../../store/open-store.ts";
import type { AgentSummary } from "./conversation-methods.ts";

type GatewayBase = Pick<RoomBase, "home" | "world" | "settings" | "offered" | "redact" | "trouble"> & {
  store: Store;
  queue: Queue;
};

export type ConversationsBase = GatewayBase &
  Pick<RoomBase, "version" | "models" | "timeZone"> & {
    mode: "chat" | "daemon";
    startedAtMs: number;
    agents(): Promise<readonly AgentSummary[]>;
  };

export const conversationsRoom: RoomDefinition<ConversationsBase> = {
  name: "conversations",
  async open(base) {
    const { conversationMethods } = await import("../../contract/wire/method.ts");
    const { serveMethods } = await import("../../contract/room/room-methods.ts");
    const { serveConversations } = await import("./conversation-methods.ts");
    const { version, home, mode, startedAtMs, models, agents, timeZone } = base;
    const about = { version, home, mode, startedAtMs };
    return {
      methods: serveMethods(
        conversationMethods,
        serveConversations({
          ...receiving(base),
          ...base.store,
          ...{ models, agents, timeZone, status: base.offered.status, about },
        }),
      ),
    };
  },
};

export const toolMethodsRoom: RoomDefinition<GatewayBase> = {
  name: "tool methods",
  async open(base) {
    const { toolMethods } = await import("../../contract/wire/methods/tools.ts");
    const { serveLazily } = await import("../../contract/room/room-methods.ts");
    const { tools, status } = base.offered;
    const policyOf = (tool: string) => base.settings.guard.tools[tool];
    return {
      methods: serveLazily(toolMethods, async () => {
        const { serveTools } = await import("./tool-methods.ts");
        return serveTools({ ...receiving(base), ...base.store, tools, status, policyOf });
      }),
    };
  },
};

export const activityRoom: RoomDefinition<GatewayBase> = {
  name: "activity",
  async open({ home, store, redact, trouble }) {
    const { activityMethods } = await import("../../contract/wire/methods/activity.ts");
    const { serveLazily } = await import("../../contract/room/room-methods.ts");
    const { openSqliteMessageSearch } = await import("../../store/search/search-messages.ts");
    const search = openSqliteMessageSearch({ ...store, onTrouble: trouble });
    return {
      methods: serveLazily(activityMethods, async () => {
        const { serveActivity } = await import("./activity-methods.ts");
        const folders = { auditFolder: join(home, "audit"), logsFolder: join(home, "logs") };
        return serveActivity({ ...store, ...folders, search, redact });
      }),
      // words that were deleted leave the index too
      forget: search.catchUp,
      catchUp: search.catchUp,
      close: search.close,
    };
  },
};

function receiving({ world, store, queue, settings }: GatewayBase) {
  return { world, log: store.log, queue, maxWaiting: settings.queue.maxWaiting };
}
