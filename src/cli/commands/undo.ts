import { Failure } from "../../contract/failure.ts";
import type { Command } from "../../contract/room/command.ts";
import { jsonNotes, jsonOption, printJson } from "../../contract/room/json-output.ts";
import { withClient } from "../../contract/room/with-client.ts";
import { visibleText } from "../visible-text.ts";
import { readSessionKey, sessionOption } from "./session-option.ts";

export const undoCommand: Command = {
  name: "undo",
  summary: "Take back the last change to files",
  description:
    "Take back the newest change that the assistant made to files in a conversation; again for the one before.",
  notes: jsonNotes("undone, output"),
  options: [sessionOption, jsonOption],
  async run({ values, flags }, context) {
    const params = { sessionKey: await readSessionKey(values.session) };
    const { undone, output } = await withClient(context, (client) => client.call("changes.undo", params));
    if (!undone) throw new Failure(visibleText(output));
    if (flags.has("json")) printJson(context.console, { undone, output });
    else context.console.output.write(`${visibleText(output)}\n`);
    return 0;
  },
};
