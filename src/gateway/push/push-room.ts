import { join } from "node:path";
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

/** Questions that wait for an answer, told to browsers whose page is closed. */
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
    let push: Promise<ApprovalPush> | undefined;
    // most people are told nothing by push, and for the others there must first be something to tell
    const stopListening = store.log.subscribe((events) => {
      const asked = events.flatMap((event) => (event.type === "approval.asked" ? [event.approvalId] : []));
      if (asked.length > 0) push ??= openPush(asked);
    });
    return {
      methods: serveLazily(pushMethods, async () => {
        const { servePush } = await import("../methods/push-methods.ts");
        return servePush({ ...store, keys, nowMs });
      }),
      async close() {
        stopListening();
        await (await push)?.close();
      },
    };

    async function openPush(asked: readonly string[]): Promise<ApprovalPush> {
      const { openApprovalPush } = await import("./approval-push.ts");
      const contact = settings.gateway.publicUrl ?? "https://localhost";
      const parts = { keys, redact, contact, nowMs, sleep, onTrouble: trouble };
      return openApprovalPush(
        { ...store, ...parts, fetch: (...request) => network.fetch(undefined, ...request) },
        asked,
      );
    }
  },
};
