// What the command line needs from the program around it; main.ts fills it in.
import type { Command, CommandContext } from "../contract/room/command.ts";
import type { Finding } from "../contract/room/room.ts";

export type CommandLineDeps = CommandContext & {
  runDaemon(): Promise<number>;
  /** Shows a page to whoever sits at this machine; false when there is no screen. */
  openBrowser?(url: string): Promise<boolean>;
  doctor(options: { repair: boolean }): Promise<{ findings: readonly Finding[] }>;
  /** What other rooms offer. */
  commands: readonly Command[];
};
