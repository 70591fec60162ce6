// What the command line needs from the program around it; main.ts fills it in.
import type { Command, CommandContext } from "../contract/room/command.ts";
import type { Finding } from "../contract/room/room.ts";
import type { GatewayClient } from "../contract/wire/client.ts";
import type { Machine } from "./commands/service/supervisor.ts";

export type CommandLineDeps = CommandContext & {
  /** `debug`: the log tells everything, also on the errors. */
  runDaemon(options?: { debug: boolean }): Promise<number>;
  /** What there is without starting anything. */
  running: {
    find(): Promise<GatewayClient | undefined>;
    /** Whether any process works on the Steward folder, also one that does not answer yet or any more. */
    isInUse(): Promise<boolean>;
  };
  machine: Machine;
  /** Shows a page to whoever sits at this machine; false when there is no screen. */
  openBrowser?(url: string): Promise<boolean>;
  doctor(options: { repair: boolean }): Promise<{ findings: readonly Finding[] }>;
  /** The name of every setting, such as agent.model. */
  settingKeys(): Promise<readonly string[]>;
  /** What other rooms offer. */
  commands: readonly Command[];
};
