import type { RoomDefinition } from "../../contract/room/room.ts";
import type { RoomBase } from "../../contract/room/room-base.ts";
import type { Store } from "../../store/open-store.ts";

export type MessagesBase = Pick<RoomBase, "redact"> & { store: Store };

/** Words and files for the owner while a turn goes on. */
export const messagesRoom: RoomDefinition<MessagesBase> = {
  name: "messages",
  async open({ store, redact }) {
    const { messageTools } = await import("./message-tools.ts");
    const tools = messageTools({ ...store, redact });
    return { tools: async () => tools };
  },
};
