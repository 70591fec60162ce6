import type { RoomBase } from "../contract/room/room-base.ts";
import type { Sender } from "../contract/sender.ts";
import type { FindAgents } from "../contract/wire/require-agent.ts";
import type { Database } from "../store/database/database.ts";
import type { EventLog } from "../store/log/event-log.ts";
import type { Engine } from "./engine/engine.ts";

/** What everything that deals with tasks works with. */
export type TaskDeps = Pick<
  RoomBase,
  "world" | "timeZone" | "settings" | "receive" | "redact" | "trouble" | "workspace"
> & {
  log: EventLog;
  database: Database;
  engine: Engine;
  agents: FindAgents;
  /** False: this process lives for one command, and somebody else must be there when a time comes. */
  stays: boolean;
  queue: { stop(conversation: string, by: Sender): Promise<boolean>; wake(conversation: string): void };
};

/** Steward itself, when a time has come. */
export const scheduler: Sender = { kind: "system", id: "tasks" };
