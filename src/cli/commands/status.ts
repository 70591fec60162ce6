import { durationWords } from "../amounts.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";
import { paletteFor } from "../palette.ts";
import { alignColumns } from "../table.ts";
import { visibleLine } from "../visible-text.ts";
import { printJson, withClient } from "./with-client.ts";

export async function showStatus(deps: CommandLineDeps, { json = false }: { json?: boolean }): Promise<number> {
  const health = await withClient(deps, (client) => client.call("health.check", {}));
  if (json) {
    printJson(deps, health);
    return 0;
  }
  const paint = paletteFor(deps.console.colors);
  const daemon = health.mode === "daemon";
  const rows = [
    ["Steward", health.version],
    [
      "Runs",
      daemon ? `as a daemon, process ${health.pid}, since ${durationWords(health.uptimeMs)}` : "only for this command",
    ],
    ["Model", visibleLine(health.model)],
    ["Web page", visibleLine(health.page)],
    ["Folder", visibleLine(health.home)],
    ["Conversations", `${health.conversations}, ${health.working} being worked on`],
    ["Commands", visibleLine(health.commands)],
    [
      "Approvals",
      health.waitingApprovals === 0 ? "none waits" : `${health.waitingApprovals} waiting: steward approvals`,
    ],
  ];
  for (const line of alignColumns(rows)) deps.console.output.write(`${line}\n`);
  if (!daemon) deps.console.output.write(`${paint.faint("No daemon is running. Start one with: steward daemon")}\n`);
  return 0;
}
