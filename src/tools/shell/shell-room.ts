import { homedir } from "node:os";
import type { Event, EventOf } from "../../contract/event.ts";
import type { IncomingMessage } from "../../contract/incoming-message.ts";
import type { CheckContext, Finding, RoomDefinition } from "../../contract/room/room.ts";
import type { RoomBase } from "../../contract/room/room-base.ts";
import type { Store } from "../../store/open-store.ts";
import type { RecordedCall } from "./call-records.ts";
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
    const { isGivenUp } = await import("../../contract/task/task.ts");
    const { CallRefused } = await import("../../contract/wire/client.ts");
    const { openCommands } = await import("./open-commands.ts");
    const { begunIn, findLostProcesses } = await import("./lost-processes.ts");
    const { finishedMessage, lostMessage } = await import("./process-messages.ts");
    const { fileLabels } = await import("../../store/tables/trust.ts");
    const { store } = base;
    // looked for before anything new is written
    const lost = await findLostProcesses(store.log);
    const commands = openCommands({
      ...base,
      settings: base.settings.sandbox,
      // no call takes longer than every tool may
      bashTimeoutMs: Math.min(base.settings.tools.bashTimeoutSeconds, base.settings.tools.timeoutSeconds) * 1000,
      userHome: homedir(),
      socketPath: `${base.socketPath}.out`,
      onStarted: base.runningCommands.started,
      resolveChecked: base.network.resolve,
      onTrouble: base.trouble,
      firstNumber: store.log.lastSeq() + 1,
      // that a command was run is known to the conversation that did so
      labelsOfFiles: async () => (await fileLabels(store.database)).filter((label) => label !== "command"),
      async onFinished(finished) {
        await tell(finishedMessage(finished, base.redact));
        await commands.records.remove(finished);
      },
    });
    const unsubscribe = store.log.subscribe((events) => {
      for (const event of events) {
        if (isCommandsEnd(event) && !begunIn(event)) void forget(event);
        if (event.type === "task.ended" && isGivenUp(event)) void end(event);
      }
    });
    await commands.records.removeOthers(async (call) => lost.some(isSame(call)) || (await isOpen(store.log, call)));
    return {
      tools: commands.tools,
      status: async () => ({ commands: await commands.describe() }),
      async start() {
        for (const process of lost) if (!(await commands.takeUp(process))) await tell(lostMessage(process));
      },
      async close() {
        await commands.close();
        unsubscribe();
      },
      forget: commands.forget,
    };

    /** The result of a call is on disk. */
    async function forget(call: RecordedCall): Promise<void> {
      await commands.records.remove(call).catch((cause) => base.trouble("The record of a command stays.", cause));
    }

    /** What a task has left running goes with it. */
    async function end({ conversation, atMs }: Event): Promise<void> {
      await commands
        .forget(conversation, atMs)
        .catch((cause) => base.trouble("Commands of a task that was ended may still run.", cause));
    }

    async function tell(message: IncomingMessage | undefined): Promise<void> {
      try {
        if (message) await base.receive(message);
      } catch (cause) {
        // the task that had it started was ended meanwhile, and nobody wants to know
        if (!(cause instanceof CallRefused && cause.code === "conflict")) throw cause;
      }
    }
  },
};

function isCommandsEnd(event: Event): event is EventOf<"tool.returned"> {
  return event.type === "tool.returned" && (event.tool === "bash" || event.tool === "exec");
}

const isSame = (call: RecordedCall) => (other: RecordedCall) =>
  call.turn === other.turn && call.callId === other.callId;

/** Whether the call still waits for its result. */
async function isOpen(log: Store["log"], call: RecordedCall): Promise<boolean> {
  const events = await log.ofTurn(call.turn);
  return events.length > 0 && !events.some((event) => event.type === "tool.returned" && isSame(call)(event));
}

async function checkSandbox({ home, settings, environment, world }: CheckContext): Promise<readonly Finding[]> {
  const { sandboxDeps } = await import("./boxes/command-sandbox.ts");
  const { examineSandbox } = await import("../sandbox/examine-sandbox.ts");
  return examineSandbox(
    sandboxDeps({
      ...{ settings: settings.sandbox, home, userHome: homedir(), environment, world },
      ...{ hideValues: () => {}, redact: (text) => text },
    }),
  );
}
