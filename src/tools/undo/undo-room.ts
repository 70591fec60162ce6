import type { RoomDefinition } from "../../contract/room/room.ts";
import type { RoomBase } from "../../contract/room/room-base.ts";
import type { Reach } from "../../contract/tool.ts";
import type { Store } from "../../store/open-store.ts";
import type { FileChanges } from "./file-changes.ts";

export type UndoBase = Pick<RoomBase, "world"> & {
  reachOf(conversation: string): Promise<Reach>;
  store: Pick<Store, "log" | "database">;
  fileChanges: FileChanges;
};

const keptForUndoMs = 30 * 86_400_000;

/** Takes back what calls did to files. */
export const undoRoom: RoomDefinition<UndoBase> = {
  name: "undo",
  async open({ reachOf, world, store, fileChanges }) {
    const { changeMethods } = await import("../../contract/wire/methods/changes.ts");
    const { serveLazily } = await import("../../contract/room/room-methods.ts");
    await fileChanges.checkpoints.removeOld(world.nowMs() - keptForUndoMs);
    return {
      methods: serveLazily(changeMethods, async () => {
        const { serveUndo } = await import("./undo-methods.ts");
        return serveUndo({ log: store.log, database: store.database, reachOf, ...fileChanges });
      }),
    };
  },
};
