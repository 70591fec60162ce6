import type { RoomDefinition } from "../contract/room/room.ts";
import { guardCommands } from "./commands/guard-commands.ts";

/** What the guard offers beside its judgement: looking at how it judges. */
export const guardRoom: RoomDefinition<unknown> = {
  name: "guard",
  commands: ({ readSettings }) => guardCommands(readSettings),
};
