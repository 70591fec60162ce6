import { agoWords } from "../amounts.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";
import { paletteFor } from "../palette.ts";
import { alignColumns } from "../table.ts";
import { visibleLine } from "../visible-text.ts";
import { printJson, withClient } from "./with-client.ts";

export async function listSessions(deps: CommandLineDeps, { json = false }: { json?: boolean }): Promise<number> {
  const result = await withClient(deps, (client) => client.call("sessions.list", {}));
  const { output, colors } = deps.console;
  if (json) {
    printJson(deps, result);
    return 0;
  }
  if (result.sessions.length === 0) {
    output.write("There are no conversations yet. Begin one with: steward chat\n");
    return 0;
  }
  const rows = result.sessions
    .toSorted((one, other) => other.lastAtMs - one.lastAtMs)
    .map((session) => [
      session.sessionKey,
      String(session.messages),
      agoWords(session.lastAtMs, deps.world.nowMs()),
      session.state === "idle" ? "" : session.state,
      visibleLine(session.title, 60),
    ]);
  const [title, ...lines] = alignColumns([["conversation", "messages", "last", "", "title"], ...rows], [1]);
  output.write(`${[paletteFor(colors).faint(title ?? ""), ...lines].join("\n")}\n`);
  return 0;
}
