import type { RoomDefinition } from "../contract/room/room.ts";
import type { RoomBase } from "../contract/room/room-base.ts";
import type { Gateway } from "./gateway.ts";
import type { LocalSocket } from "./local-socket.ts";

export type LocalSocketBase = Pick<RoomBase, "trouble" | "note"> & { gateway: Gateway; socketPath: string };

/** The way in for programs of the same user on the same machine, such as the terminal. */
export const localSocketRoom: RoomDefinition<LocalSocketBase> = {
  name: "local socket",
  async open({ gateway, socketPath, trouble, note }) {
    const { openLocalSocket } = await import("./local-socket.ts");
    let socket: LocalSocket | undefined;
    return {
      async start() {
        socket = await openLocalSocket({ path: socketPath, gateway, onTrouble: trouble, note });
      },
      close: async () => socket?.close(),
    };
  },
};
