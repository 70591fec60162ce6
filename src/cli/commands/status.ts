import type { MethodResult } from "../../contract/wire/method.ts";
import { formatDuration } from "../../contract/words/amounts.ts";
import { paletteFor } from "../palette.ts";
import { alignColumns } from "../table.ts";
import { visibleLine } from "../visible-text.ts";
import { lookCommand } from "./look-command.ts";

type Health = MethodResult<"health.check">;

export const statusCommand = lookCommand({
  name: "status",
  summary: "Show what is running",
  fields:
    "status, version, pid, uptimeMs, home, mode, model, commands, page, conversations, working, waitingApprovals, lastSeq",
  ask: (client) => client.call("health.check", {}),
  show(health, { console: { output, colors } }) {
    for (const line of alignColumns(rowsOf(health))) output.write(`${line}\n`);
    if (isOwn(health))
      output.write(`${paletteFor(colors).faint("No daemon is running. Start one with: steward daemon")}\n`);
  },
});

function rowsOf(health: Health): string[][] {
  const waiting = health.waitingApprovals;
  return [
    ["Steward", health.version],
    ["Runs", runningWords(health)],
    ["Model", visibleLine(health.model)],
    ["Web page", visibleLine(health.page)],
    ["Folder", visibleLine(health.home)],
    ["Conversations", `${health.conversations}, ${health.working} being worked on`],
    ["Commands", visibleLine(health.commands)],
    ["Approvals", waiting === 0 ? "none waits" : `${waiting} waiting: steward approvals`],
  ];
}

function isOwn(health: Health): boolean {
  return health.mode === "chat" && health.pid === process.pid;
}

function runningWords(health: Health): string {
  if (isOwn(health)) return "only for this command";
  const place = `process ${health.pid}, since ${formatDuration(health.uptimeMs)}`;
  return health.mode === "daemon" ? `as a daemon, ${place}` : `in a chat, ${place}; it ends with that chat`;
}
