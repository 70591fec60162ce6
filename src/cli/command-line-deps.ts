// What the command line needs from the house; main.ts fills it in.
import type { GatewayClient } from "../contract/client.ts";
import type { CommandConsole, ExtraCommand } from "../contract/extra-command.ts";
import type { Finding } from "../contract/room/room.ts";
import type { Settings } from "../contract/settings.ts";
import type { World } from "../contract/world.ts";

export type CommandLineDeps = {
  console: CommandConsole;
  version: string;
  /** The Steward folder. */
  home: string;
  world: World;
  /** The running daemon, or an assistant started inside this process; one that will stay opens its doors to browsers. */
  connect(options?: { staying: boolean }): Promise<GatewayClient>;
  runDaemon(): Promise<number>;
  /** Shows a page to whoever sits at this machine; false when there is no screen. */
  openBrowser?(url: string): Promise<boolean>;
  readSettings(): Promise<{ settings: Settings; path: string; warnings: readonly string[] }>;
  settingsDocs(): Promise<string>;
  doctor(options: { repair: boolean }): Promise<{ findings: readonly Finding[] }>;
  extraCommands: readonly ExtraCommand[];
};
