import type { MethodResult } from "../../contract/method.ts";
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
  const rows = [
    ["Steward", health.version],
    ["Runs", runningWords(health)],
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
  if (isOwn(health))
    deps.console.output.write(`${paint.faint("No daemon is running. Start one with: steward daemon")}\n`);
  return 0;
}

type Health = MethodResult<"health.check">;

function isOwn(health: Health): boolean {
  return health.mode === "chat" && health.pid === process.pid;
}

function runningWords(health: Health): string {
  if (isOwn(health)) return "only for this command";
  const place = `process ${health.pid}, since ${durationWords(health.uptimeMs)}`;
  return health.mode === "daemon" ? `as a daemon, ${place}` : `in a chat, ${place}; it ends with that chat`;
}
