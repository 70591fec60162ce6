import type { RoomDefinition } from "../../contract/room/room.ts";
import type { RoomBase } from "../../contract/room/room-base.ts";
import type { ForgetDeps } from "./forget-deleted.ts";

export type ForgetBase = Pick<RoomBase, "trouble"> & ForgetDeps;

/** What a deleted conversation or a forgotten message has left anywhere goes, at once or at the next start if Steward was stopped meanwhile. */
export const forgetRoom: RoomDefinition<ForgetBase> = {
  name: "forget",
  async open(base) {
    const { log } = base.store;
    let working: Promise<void> = Promise.resolve();
    const unsubscribe = log.subscribe((events) => {
      if (events.some(({ type }) => type === "conversation.deleted" || type === "messages.forgotten")) begin();
    });
    return {
      start: async () => begin(),
      async close() {
        unsubscribe();
        await working;
      },
    };

    function begin(): void {
      working = working
        .then(async () => (await import("./forget-deleted.ts")).forgetDeleted(base))
        .catch((cause) =>
          base.trouble("What was deleted has left something behind, which is removed at the next start.", cause),
        );
    }
  },
};
