import { formatAgo } from "../../contract/words/amounts.ts";
import { printTable } from "../table.ts";
import { visibleLine } from "../visible-text.ts";
import { lookCommand } from "./look-command.ts";

export const sessionsCommand = lookCommand({
  name: "sessions",
  summary: "List the conversations",
  fields: "sessions: [{sessionKey, title, messages, lastAtMs, lastSeq, state, model?, thinking?, agent?}]",
  ask: (client) => client.call("sessions.list", {}),
  show({ sessions }, { console, world }) {
    if (sessions.length === 0)
      return void console.output.write("There are no conversations yet. Begin one with: steward chat\n");
    const rows = sessions
      .toSorted((one, other) => other.lastAtMs - one.lastAtMs)
      .map((session) => [
        session.sessionKey,
        String(session.messages),
        formatAgo(session.lastAtMs, world.nowMs()),
        session.state === "idle" ? "" : session.state,
        visibleLine(session.title, 60),
      ]);
    printTable(console, [["conversation", "messages", "last", "", "title"], ...rows], [1]);
  },
});
