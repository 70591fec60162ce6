import { type Command, Option } from "commander";
import { Scope } from "../contract/access.ts";
import { addCommand } from "./add-command.ts";
import type { CommandLineDeps } from "./command-line-deps.ts";
import { approve, deny, listApprovals } from "./commands/approvals.ts";
import { askOnce } from "./commands/ask.ts";
import { runChat } from "./commands/chat.ts";
import { getConfig, showConfig, showConfigPath } from "./commands/config.ts";
import { showFindings } from "./commands/doctor.ts";
import { openPage } from "./commands/open.ts";
import { listSessions } from "./commands/sessions.ts";
import { showStatus } from "./commands/status.ts";
import { createToken, listTokens, revokeToken, type TokenOptions } from "./commands/token.ts";
import { undoLast } from "./commands/undo.ts";
import { showUsage } from "./commands/usage.ts";

type Finish = (code: number) => void;

/** Every command of the program; each ends by telling its exit code. */
export function addCommands(program: Command, deps: CommandLineDeps, finish: Finish): void {
  addTalking(program, deps, finish);
  addLooking(program, deps, finish);
  addApprovals(program, deps, finish);
  addUndo(program, deps, finish);
  addAccess(program, deps, finish);
  addConfig(program, deps, finish);
  program
    .command("daemon")
    .summary("Run without a terminal until it is stopped")
    .description("Run without a terminal until it is stopped; chats connect to it.")
    .action(async () => finish(await deps.runDaemon()));
  program
    .command("doctor")
    .summary("Check this installation")
    .description(
      "Check this installation. Every finding says what to do next; the exit code is 1 when something is wrong.",
    )
    .option("--repair", "rebuild the database from what can be read and from the transcripts; keeps a copy")
    .action(async (options: { repair?: boolean }) =>
      finish(await showFindings(deps, { repair: options.repair === true })),
    );
  for (const command of deps.commands) addCommand(program, command, deps, finish);
}

function addTalking(program: Command, deps: CommandLineDeps, finish: Finish): void {
  program
    .command("chat")
    .summary("Talk with the assistant")
    .description("Talk with the assistant. When the input is not a terminal, each line is a message.")
    .option("--plain", "lines only, no control of the screen; for screen readers and logs")
    .option("--session <key>", "the conversation: its key, or a short name such as work")
    .addOption(new Option("--or-headless").hideHelp())
    .action(async ({ orHeadless, ...options }: { plain?: boolean; session?: string; orHeadless?: boolean }) =>
      finish(await runChat(deps, { ...options, mayRunHeadless: orHeadless === true })),
    );
  program
    .command("ask")
    .argument("<text...>", "the message; - reads it from the input")
    .summary("Send one message and print the answer")
    .description("Send one message and print the answer. The exit code is 0 when it was answered.")
    .option("--session <key>", "the conversation: its key, or a short name such as work")
    .action(async (words: string[], options: { session?: string }) =>
      finish(await askOnce(deps, words.join(" "), options)),
    );
}

function addLooking(program: Command, deps: CommandLineDeps, finish: Finish): void {
  const looks = [
    {
      name: "status",
      summary: "Show what is running",
      fields:
        "status, version, pid, uptimeMs, home, mode, model, commands, page, conversations, working, waitingApprovals, lastSeq",
      show: showStatus,
    },
    {
      name: "sessions",
      summary: "List the conversations",
      fields: "sessions: [{sessionKey, title, messages, lastAtMs, lastSeq, state, model?, thinking?, agent?}]",
      show: listSessions,
    },
    {
      name: "usage",
      summary: "Show tokens and cost by day and model",
      fields: "rows: [{day, model, sessionKey, calls, usage, costUsd, unpriced, durationMs}]",
      show: showUsage,
    },
    {
      name: "approvals",
      summary: "List what waits for your approval",
      fields: "approvals: [{approvalId, sessionKey, turn, tool, display, reason, askedAtMs, expiresAtMs}]",
      show: listApprovals,
    },
  ];
  for (const { name, summary, fields, show } of looks)
    program
      .command(name)
      .description(summary)
      .option("--json", "print JSON")
      .addHelpText("after", `\nWith --json, one object: {${fields}}`)
      .action(async (options: { json?: boolean }) => finish(await show(deps, options)));
}

function addUndo(program: Command, deps: CommandLineDeps, finish: Finish): void {
  program
    .command("undo")
    .summary("Take back the last change to files")
    .description(
      "Take back the newest change that the assistant made to files in a conversation; again for the one before.",
    )
    .option("--session <key>", "the conversation: its key, or a short name such as work")
    .action(async (options: { session?: string }) => finish(await undoLast(deps, options)));
}

function addApprovals(program: Command, deps: CommandLineDeps, finish: Finish): void {
  program
    .command("approve")
    .argument("<id>", "as listed by: steward approvals")
    .description("Allow what was asked")
    .option("--always", "do not ask again about this exact call with these exact files")
    .action(async (id: string, options: { always?: boolean }) =>
      finish(await approve(deps, id, options.always === true)),
    );
  program
    .command("deny")
    .argument("<id>", "as listed by: steward approvals")
    .argument("[reason...]", "why not, in your own words")
    .description("Refuse what was asked")
    .action(async (id: string, reason: string[]) => finish(await deny(deps, id, reason.join(" "))));
}

function addAccess(program: Command, deps: CommandLineDeps, finish: Finish): void {
  program
    .command("open")
    .summary("Open the web page")
    .description("Print a link to the web page that lets one browser in, and open it.")
    .option("--print", "print the link and open nothing")
    .action(async (options: { print?: boolean }) => finish(await openPage(deps, options)));
  const token = program.command("token").summary("Let programs in, and see who is").usage("[command]");
  token
    .command("list")
    .description("List every browser and program that is let in")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nWith --json, one object: {tokens: [{id, name, scope, kind, createdAtMs, sessionKey?, lastUsedAtMs?, expiresAtMs?}]}",
    )
    .action(async (options: { json?: boolean }) => finish(await listTokens(deps, options)));
  token
    .command("create")
    .description("Make a token for a program. It is printed once and kept nowhere.")
    .requiredOption("--name <name>", "what it is for, as the list shows it")
    .addOption(
      new Option("--scope <scope>", "owner: everything. read: look. approve: answer questions. task: one conversation")
        .choices(Scope.options)
        .makeOptionMandatory(),
    )
    .option("--session <key>", "the conversation of a token with the scope task")
    .option("--days <number>", "how long it is good for; without this until it is revoked")
    .action(async (options: TokenOptions) => finish(await createToken(deps, options)));
  token
    .command("revoke")
    .argument("<id>", "as listed by: steward token list")
    .description("Take a token back, now and for good")
    .action(async (id: string) => finish(await revokeToken(deps, id)));
}

function addConfig(program: Command, deps: CommandLineDeps, finish: Finish): void {
  const config = program
    .command("config")
    .summary("Show the settings")
    .description("Show the settings in force. To change them, edit the file named by: steward config path")
    .usage("[command]");
  config
    .command("show")
    .description("Print the settings in force, as JSON (also without a command)")
    .action(async () => finish(await showConfig(deps)));
  config
    .command("get")
    .argument("<key>", "such as agent.model")
    .description("Print one setting")
    .action(async (key: string) => finish(await getConfig(deps, key)));
  config
    .command("docs")
    .description("Explain every setting, as Markdown")
    .action(async () => {
      deps.console.output.write(`${(await deps.settingsDocs()).trimEnd()}\n`);
    });
  config
    .command("path")
    .description("Print where the settings file is")
    .action(async () => finish(await showConfigPath(deps)));
}
