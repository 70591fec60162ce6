import type { Command } from "../../contract/room/command.ts";
import { visibleText } from "../visible-text.ts";
import { withClient } from "./look-commands.ts";
import { sessionKeyFor, sessionOption } from "./session-option.ts";

export const undoCommand: Command = {
  name: "undo",
  summary: "Take back the last change to files",
  description:
    "Take back the newest change that the assistant made to files in a conversation; again for the one before.",
  options: [sessionOption],
  async run({ values }, context) {
    const params = { sessionKey: sessionKeyFor(values.session) };
    const { undone, output } = await withClient(context, (client) => client.call("changes.undo", params));
    context.console.output.write(`${visibleText(output)}\n`);
    return undone ? 0 : 1;
  },
};
