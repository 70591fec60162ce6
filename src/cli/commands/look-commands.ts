// Commands that show one answer of the gateway: what runs, the conversations, what they have cost.
import type { CommandContext, SingleCommand } from "../../contract/room/command.ts";
import { jsonNotes, jsonOption, printJson } from "../../contract/room/json-output.ts";
import { withClient } from "../../contract/room/with-client.ts";
import type { GatewayClient } from "../../contract/wire/client.ts";
import type { MethodResult } from "../../contract/wire/method.ts";
import { alignColumns } from "../../contract/words/align-columns.ts";
import { formatAgo, formatDuration, formatTokens } from "../../contract/words/amounts.ts";
import { spendingRow } from "../chat/spending-table.ts";
import { paletteFor } from "../palette.ts";
import { printTable } from "../table.ts";
import { visibleLine } from "../visible-text.ts";

type Look<Result> = {
  name: string;
  summary: string;
  /** The fields of the JSON, which programs rely on. */
  fields: string;
  ask(client: GatewayClient): Promise<Result>;
  show(result: Result, context: CommandContext): void;
};

/** A command that shows one answer of the gateway: in words, or whole as JSON. */
export function lookCommand<Result>({ name, summary, fields, ask, show }: Look<Result>): SingleCommand {
  return {
    name,
    summary,
    notes: jsonNotes(fields),
    options: [jsonOption],
    async run({ flags }, context) {
      const result = await withClient(context, ask);
      if (flags.has("json")) printJson(context.console, result);
      else show(result, context);
      return 0;
    },
  };
}

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

export const modelsCommand = lookCommand({
  name: "models",
  summary: "List the models that can be asked",
  fields: "models: [{name, contextTokens, maxOutputTokens, source}], chosen",
  ask: (client) => client.call("models.list", {}),
  show({ models, chosen }, { console }) {
    const rows = models.map(({ name, contextTokens, source }) => [
      name === chosen ? "*" : "",
      visibleLine(name, 80),
      formatTokens(contextTokens),
      visibleLine(source, 60),
    ]);
    printTable(console, [["", "model", "tokens", "known by"], ...rows], [2]);
  },
});

const usageTitles = ["day", "model", "calls", "read", "cached", "written", "cost"];

export const usageCommand = lookCommand({
  name: "usage",
  summary: "Show tokens and cost by day and model",
  fields: "rows: [{day, model, sessionKey, calls, usage, costUsd, unpriced, durationMs}]",
  ask: (client) => client.call("usage.get", {}),
  show({ rows }, { console }) {
    if (rows.length === 0) return void console.output.write("Nothing has been used yet.\n");
    const byDayAndModel = Map.groupBy(rows, (row) => JSON.stringify([row.day, row.model]));
    const lines = [...byDayAndModel.values()]
      .map((same) => [same[0]?.day ?? "", ...spendingRow(visibleLine(same[0]?.model ?? "", 80), same)])
      .toSorted((one, other) => (one.join() < other.join() ? -1 : 1));
    printTable(console, [usageTitles, ...lines, ["total", ...spendingRow("", rows)]], [2, 3, 4, 5, 6]);
  },
});
