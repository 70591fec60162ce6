import type { Command } from "../../contract/room/command.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";
import { approvalsCommand, approveCommand, denyCommand } from "./approvals.ts";
import { askCommand } from "./ask.ts";
import { chatCommand } from "./chat.ts";
import { completionsCommand } from "./completions.ts";
import { doctorCommand } from "./doctor.ts";
import { modelsCommand, sessionsCommand, statusCommand, usageCommand } from "./look-commands.ts";
import { openCommand } from "./open.ts";
import { serviceCommand } from "./service/service.ts";
import { restartCommand, stopCommand } from "./stop.ts";
import { tokenCommand } from "./token.ts";
import { undoCommand } from "./undo.ts";

/** Every command in the order of the help: the terminal's own, then those of other rooms. */
export function listCommands(deps: CommandLineDeps): readonly Command[] {
  return [
    chatCommand(deps),
    askCommand,
    statusCommand,
    sessionsCommand,
    modelsCommand,
    usageCommand,
    approvalsCommand,
    approveCommand,
    denyCommand,
    undoCommand,
    openCommand(deps),
    tokenCommand,
    {
      name: "daemon",
      summary: "Run without a terminal until it is stopped",
      description: "Run without a terminal until it is stopped; chats connect to it.",
      options: [{ form: "--debug", description: "write everything to the log, and show it here" }],
      run: ({ flags }) => deps.runDaemon({ debug: flags.has("debug") }),
    },
    stopCommand(deps),
    restartCommand(deps),
    serviceCommand(deps),
    doctorCommand(deps),
    completionsCommand(deps, () => listCommands(deps)),
    ...deps.commands,
  ];
}
