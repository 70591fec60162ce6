import { join } from "node:path";
import type { Event, EventOf } from "../../contract/event.ts";
import { loadOnce } from "../../contract/room/load-once.ts";
import type { RoomDefinition } from "../../contract/room/room.ts";
import type { RoomBase } from "../../contract/room/room-base.ts";
import type { Store } from "../../store/open-store.ts";
import type { ApprovalPush } from "./approval-push.ts";
import type { SendPushDeps } from "./send-push.ts";

export type PushBase = Pick<RoomBase, "home" | "settings" | "world" | "redact" | "trouble"> & {
  store: Store;
  network: {
    fetch(exception: undefined, ...request: Parameters<SendPushDeps["fetch"]>): ReturnType<SendPushDeps["fetch"]>;
  };
  sleep: SendPushDeps["sleep"];
  servesPage: boolean;
};

type TaskWords = EventOf<"reply.written">;

/** The question of a run is told with the other questions. */
function isTaskWords(event: Event): event is TaskWords {
  return event.type === "reply.written" && event.task !== undefined && event.task.ask === undefined;
}

/** Questions that wait for an answer, and what tasks have to say, told to browsers whose page is closed. */
export const pushRoom: RoomDefinition<PushBase> = {
  name: "push",
  async open({ home, settings, world, redact, trouble, store, network, sleep, servesPage }) {
    if (!servesPage || !settings.gateway.enabled) return {};
    const { pushMethods } = await import("../../contract/wire/methods/push.ts");
    const { serveLazily } = await import("../../contract/room/room-methods.ts");
    const { nowMs } = world;
    const keys = loadOnce(async () => {
      const { readOrMakePushKeys } = await import("./push-keys.ts");
      return readOrMakePushKeys(join(home, "data", "push-keys.json"));
    });
    const parts = {
      ...{ database: store.database, keys, nowMs, sleep, onTrouble: trouble },
      contact: settings.gateway.publicUrl ?? "https://localhost",
      fetch: (...request: Parameters<SendPushDeps["fetch"]>) => network.fetch(undefined, ...request),
    };
    let push: Promise<ApprovalPush> | undefined;
    // most people are told nothing by push, and for the others there must first be something to tell
    const stopListening = store.log.subscribe((events) => {
      const asked = events.flatMap((event) =>
        event.type === "approval.asked" || event.type === "approval.reminded" ? [event.approvalId] : [],
      );
      if (asked.length > 0) push ??= openPush(asked);
      for (const event of events) if (isTaskWords(event)) tellOfTask(event);
    });
    const closing = new AbortController();
    let telling: Promise<void> = Promise.resolve();
    return {
      methods: serveLazily(pushMethods, async () => {
        const { servePush } = await import("../methods/push-methods.ts");
        return servePush({ ...store, keys, nowMs });
      }),
      async close() {
        stopListening();
        closing.abort();
        await telling;
        await (await push)?.close();
      },
    };

    function tellOfTask(event: TaskWords): void {
      telling = telling.then(async () => {
        const { tellBrowsers, taskMessage } = await import("./tell-browsers.ts");
        await tellBrowsers(parts, { ...taskMessage(redact, event), signal: closing.signal });
      });
      telling = telling.catch((cause) => trouble("Nobody could be told of what a task has said.", cause));
    }

    async function openPush(asked: readonly string[]): Promise<ApprovalPush> {
      const { openApprovalPush } = await import("./approval-push.ts");
      return openApprovalPush({ ...parts, log: store.log, redact }, asked);
    }
  },
};
