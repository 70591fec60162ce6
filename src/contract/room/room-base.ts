import type { IncomingMessage, Receipt } from "../incoming-message.ts";
import type { ModelProvider } from "../model.ts";
import type { Settings } from "../settings.ts";
import type { ExtraDirs } from "../tool.ts";
import type { World } from "../world.ts";
import type { Offered } from "./open-rooms.ts";

/**
 * What every room may need. A room names the parts it takes (`Pick<RoomBase, "home" | "world">`) and adds those whose types
 * live in another room that it may import, such as the store.
 */
export type RoomBase = {
  home: string;
  /** The folder the agent works in. */
  workspace: string;
  /** Folders that the owner has opened beside it. */
  extraDirs: ExtraDirs;
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  version: string;
  /** The clock and the ids. */
  world: World;
  /** Where the owner lives: days are counted by it. */
  timeZone: string;
  models: ModelProvider;
  /** The way in for whatever may start a turn: on disk when it resolves. */
  receive(message: IncomingMessage): Promise<Receipt>;
  redact(text: string): string;
  /** What went wrong without anybody waiting for it. */
  trouble(message: string, cause: unknown): void;
  /** For whoever looks for a fault: kept while the log tells everything (debug), never with words that somebody said. */
  note(message: string, fields: Readonly<Record<string, unknown>>): void;
  /** What all rooms together offer, this one included. */
  offered: Offered;
};
