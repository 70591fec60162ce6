import type { CommandLineDeps } from "../command-line-deps.ts";
import { visibleText } from "../visible-text.ts";
import { sessionKeyFor } from "./session-key.ts";
import { withClient } from "./with-client.ts";

export async function undoLast(deps: CommandLineDeps, options: { session?: string }): Promise<number> {
  const params = { sessionKey: sessionKeyFor(options.session) };
  const { undone, output } = await withClient(deps, (client) => client.call("changes.undo", params));
  deps.console.output.write(`${visibleText(output)}\n`);
  return undone ? 0 : 1;
}
