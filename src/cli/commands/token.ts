import type { Event } from "../../contract/event.ts";
import { Failure } from "../../contract/failure.ts";
import type { CommandGroup, SingleCommand } from "../../contract/room/command.ts";
import { jsonNotes, jsonOption, printJson } from "../../contract/room/json-output.ts";
import { withClient } from "../../contract/room/with-client.ts";
import type { AccessToken, Scope } from "../../contract/wire/access.ts";
import { formatAgo, formatDuration } from "../../contract/words/amounts.ts";
import { printTable } from "../table.ts";
import { visibleLine } from "../visible-text.ts";
import { lookCommand } from "./look-commands.ts";
import { readSessionKey } from "./session-option.ts";

const listTokens = lookCommand({
  name: "list",
  summary: "List every browser and program that is let in",
  fields: "tokens: [{id, name, scope, kind, createdAtMs, sessionKey?, lastUsedAtMs?, expiresAtMs?}]",
  ask: (client) => client.call("access.list", {}),
  show({ tokens }, { console, world }) {
    if (tokens.length === 0)
      return void console.output.write("Nobody has been let in yet. A browser is let in by: steward open\n");
    const rows = tokens.map((token) => rowOf(token, world.nowMs()));
    printTable(console, [["id", "name", "may", "kind", "last used", "ends"], ...rows]);
  },
});

function rowOf(token: AccessToken, nowMs: number): string[] {
  const { expiresAtMs, lastUsedAtMs } = token;
  return [
    visibleLine(token.id),
    visibleLine(token.name, 40),
    token.sessionKey === undefined ? token.scope : `${token.scope} ${visibleLine(token.sessionKey)}`,
    token.kind,
    lastUsedAtMs === undefined ? "never" : formatAgo(lastUsedAtMs, nowMs),
    expiresAtMs === undefined ? "never" : endWords(expiresAtMs, nowMs),
  ];
}

function endWords(expiresAtMs: number, nowMs: number): string {
  return expiresAtMs <= nowMs ? "has ended" : `in ${formatDuration(expiresAtMs - nowMs)}`;
}

const scopes = {
  owner: "everything",
  read: "look",
  approve: "answer questions",
  task: "one conversation",
} satisfies Record<Scope, string>;

const createToken: SingleCommand = {
  name: "create",
  summary: "Make a token for a program. It is printed once and kept nowhere.",
  notes: jsonNotes("token, record: {id, name, scope, kind, createdAtMs, sessionKey?, expiresAtMs?}"),
  options: [
    { form: "--name <name>", description: "what it is for, as the list shows it", required: true },
    {
      form: "--scope <scope>",
      description: Object.entries(scopes)
        .map(([scope, may]) => `${scope}: ${may}`)
        .join(". "),
      choices: Object.keys(scopes),
      required: true,
    },
    { form: "--session <key>", description: "the conversation of a token with the scope task", completes: "session" },
    { form: "--days <number>", description: "how long it is good for; without this until it is revoked" },
    jsonOption,
  ],
  async run({ values: { name = "", scope, session, days }, flags }, context) {
    if (scope === "task" && session === undefined)
      throw new Failure("A token of the scope task is for one conversation. Name it with --session.");
    if (scope !== "task" && session !== undefined)
      throw new Failure(
        `A token of the scope ${scope} is for every conversation. Leave --session out, or use --scope task.`,
      );
    const { Scope } = await import("../../contract/wire/access.ts");
    const params = {
      name,
      scope: Scope.parse(scope),
      ...(session !== undefined && { sessionKey: await readSessionKey(session) }),
      ...(days !== undefined && { expiresAfterDays: readDays(days) }),
    };
    const { token, record } = await withClient(context, (client) => client.call("access.create", params));
    const { console, world } = context;
    if (flags.has("json")) {
      printJson(console, { token, record });
      return 0;
    }
    const end = record.expiresAtMs === undefined ? "" : ` It ends ${endWords(record.expiresAtMs, world.nowMs())}.`;
    // the token alone goes to the output, so that it can be piped to where it is needed
    console.output.write(`${token}\n`);
    console.errors.write(
      `Keep it now: it is not shown again.${end} Take it back with: steward token revoke ${visibleLine(record.id)}\n`,
    );
    return 0;
  },
};

function readDays(text: string): number {
  const days = Number(text);
  if (text.trim() !== "" && days > 0 && days <= 3650) return days;
  throw new Failure(`“${visibleLine(text, 40)}” is no number of days. Give one from 1 to 3650, such as --days 30.`);
}

const revokeToken: SingleCommand = {
  name: "revoke",
  summary: "Take a token back, now and for good",
  notes: jsonNotes("id, revoked"),
  arguments: [{ form: "<id>", description: "as listed by: steward token list" }],
  options: [jsonOption],
  async run({ arguments: [id = ""], flags }, context) {
    const { ok } = await withClient(context, (client) => client.call("access.revoke", { id }));
    if (!ok) throw new Failure(`There is no token ${visibleLine(id, 100)}. List them: steward token list`);
    if (flags.has("json")) printJson(context.console, { id, revoked: true });
    else context.console.output.write("It is taken back; whoever used it is let in no more.\n");
    return 0;
  },
};

const accessEvents = ["access.granted", "access.signed_in", "access.refused", "access.revoked"] as const;

const showVisits = lookCommand({
  name: "log",
  summary: "Show who came in and who was turned away, as the audit log has it",
  fields: "events: [{seq, atMs, type, …}], more, nextBeforeSeq?",
  ask: (client) => client.call("audit.list", { types: [...accessEvents], limit: 100 }),
  show({ events }, { console, world }) {
    if (events.length === 0) return void console.output.write("Nobody has come in yet.\n");
    const rows = events.map((event) => [formatAgo(event.atMs, world.nowMs()), visibleLine(visitWords(event))]);
    printTable(console, [["when", "what"], ...rows]);
  },
});

function visitWords(event: Event): string {
  switch (event.type) {
    case "access.granted":
      return `${event.name} was let in: ${scopes[event.scope]} (${event.tokenId})`;
    case "access.revoked":
      return `${event.tokenId} was taken back`;
    case "access.signed_in":
      return `${event.name} came in by ${event.how} from ${event.from} ${event.client} (${event.tokenId})`;
    case "access.refused":
      return `turned away: ${event.what}, ${event.times} × from ${event.from} ${event.client} ${event.tokenId ?? ""}`;
    default:
      return event.type;
  }
}

export const tokenCommand: CommandGroup = {
  name: "token",
  summary: "Let programs in, and see who is",
  commands: [listTokens, createToken, revokeToken, showVisits],
};
