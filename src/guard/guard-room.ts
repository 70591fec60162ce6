import type { RoomDefinition } from "../contract/room/room.ts";
import { guardCommand } from "./commands/guard-command.ts";

/** What the guard offers beside its judgement: looking at how it judges. */
export const guardRoom: RoomDefinition<unknown> = {
  name: "guard",
  commands: [guardCommand],
};
