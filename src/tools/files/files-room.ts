import type { RoomDefinition } from "../../contract/room/room.ts";
import type { RoomBase } from "../../contract/room/room-base.ts";
import type { OutputStore } from "../outputs/output-store.ts";
import type { FileChanges } from "../undo/file-changes.ts";

export type FilesBase = Pick<RoomBase, "workspace" | "extraDirs" | "world"> & {
  fileChanges: FileChanges;
  outputs: OutputStore;
};

/** Reading, writing, editing, deleting and searching files of the workspace. */
export const filesRoom: RoomDefinition<FilesBase> = {
  name: "files",
  async open({ workspace, extraDirs, world, fileChanges, outputs }) {
    const { fileTools } = await import("./file-tools.ts");
    const { removeLeftovers } = await import("./remove-leftovers.ts");
    for (const folder of [workspace, ...extraDirs.writeDirs]) await removeLeftovers(world, folder);
    const tools = fileTools({ ...fileChanges, outputs });
    return { tools: async () => tools };
  },
};
