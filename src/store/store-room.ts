import type { RoomDefinition } from "../contract/room/room.ts";
import { auditCommand } from "./audit/audit-command.ts";
import { logsCommand } from "./daily-log/logs-command.ts";

/** What the store offers beside itself. */
export const storeRoom: RoomDefinition<unknown> = {
  name: "store",
  commands: [auditCommand, logsCommand],
  checks: async ({ home }) => (await import("./doctor/check-store.ts")).checkStore(home),
};
