import { homedir } from "node:os";
import type { IncomingMessage } from "../../contract/incoming-message.ts";
import type { CheckContext, Finding, RoomDefinition } from "../../contract/room/room.ts";
import type { RoomBase } from "../../contract/room/room-base.ts";
import type { Store } from "../../store/open-store.ts";
import type { CommandsDeps } from "./open-commands.ts";

export type ShellBase = Pick<
  RoomBase,
  "home" | "workspace" | "settings" | "environment" | "world" | "receive" | "redact" | "trouble"
> & {
  store: Store;
  /** Where the sockets of this installation lie; the way out for commands is one of them. */
  socketPath: string;
  network: { resolve: CommandsDeps["resolveChecked"] };
  runningCommands: { started: CommandsDeps["onStarted"] };
  hideValues: CommandsDeps["hideValues"];
};

/** Commands in the sandbox, in the foreground and in the background. */
export const shellRoom: RoomDefinition<ShellBase> = {
  name: "shell",
  checks: checkSandbox,
  async open(base) {
    const { openCommands } = await import("./open-commands.ts");
    const { findLostProcesses } = await import("./lost-processes.ts");
    const { finishedMessage, lostMessage } = await import("./process-messages.ts");
    const { fileLabels } = await import("../../store/tables/trust.ts");
    const { store } = base;
    // looked for before anything new is written
    const lost = await findLostProcesses(store.log);
    const commands = openCommands({
      ...base,
      settings: base.settings.sandbox,
      userHome: homedir(),
      socketPath: `${base.socketPath}.out`,
      onStarted: base.runningCommands.started,
      resolveChecked: base.network.resolve,
      onTrouble: base.trouble,
      firstNumber: store.log.lastSeq() + 1,
      labelsOfFiles: async () => [...(await fileLabels(store.database)), "command"],
      onFinished: (finished) => tell(finishedMessage(finished, base.redact)),
    });
    return {
      tools: commands.tools,
      status: async () => ({ commands: await commands.describe() }),
      async start() {
        for (const process of lost) await tell(lostMessage(process));
      },
      forget: commands.forget,
      close: commands.close,
    };

    async function tell(message: IncomingMessage | undefined): Promise<void> {
      if (message) await base.receive(message);
    }
  },
};

async function checkSandbox({ home, settings, environment, world }: CheckContext): Promise<readonly Finding[]> {
  const { sandboxDeps } = await import("./open-commands.ts");
  const { examineSandbox } = await import("../sandbox/examine-sandbox.ts");
  return examineSandbox(
    sandboxDeps({ settings: settings.sandbox, home, userHome: homedir(), environment, world, hideValues: () => {} }),
  );
}
