// The chat for a person without any control of the screen, as a screen reader likes it: lines in, lines out.
import { createInterface } from "node:readline";
import type { CommandConsole } from "../../../contract/room/command.ts";
import { allItems, approvalsElsewhere, elsewhereWords, isSettled, isWorking, openApprovals } from "../chat-state.ts";
import { answerInWords } from "../commands/answer-approval.ts";
import type { CommandOutcome } from "../commands/command-outcome.ts";
import { stopTurn } from "../commands/slash-commands.ts";
import { submitLine } from "../commands/submit-line.ts";
import type { Chat } from "../open-chat.ts";
import { failWhenGone } from "../until-settled.ts";
import { earlierItems, type Welcome, welcomeLines } from "../welcome.ts";
import { plainOutcome } from "./plain-outcome.ts";
import { openPlainPrinter, type PlainPrinter } from "./plain-printer.ts";

export type PlainChatDeps = { chat: Chat; console: CommandConsole; home: string; welcome: Welcome };

export async function runPlainChat(deps: PlainChatDeps): Promise<number> {
  const { chat, console } = deps;
  const write = (text: string): void => void console.output.write(text);
  const printer = openPlainPrinter({ write, warn: write, watched: true });
  for (const line of welcomeLines(deps.welcome)) printer.print(line);
  for (const approval of approvalsElsewhere(chat.state())) printer.print(elsewhereWords(approval));
  const asker = openAsker(chat, printer);
  const lines = createInterface({ input: console.input, terminal: false, crlfDelay: Number.POSITIVE_INFINITY });
  const left = Promise.withResolvers<number>();
  const stopListening = console.onInterrupt((why) => void interrupt(why === "terminate"));
  try {
    return await Promise.race([converse(), left.promise, failWhenGone(chat)]);
  } finally {
    stopListening();
    asker.close();
    lines.close();
  }

  async function converse(): Promise<number> {
    for await (const line of lines) {
      const asked = asker.lineEntered();
      const isAnswer = asked !== undefined && !line.trim().startsWith("/");
      if (await obey(() => (isAnswer ? answerInWords(chat, asked, line) : submitLine(chat, line)))) return 0;
      asker.ask();
    }
    return 0;
  }

  async function interrupt(mustLeave: boolean): Promise<void> {
    const state = chat.state();
    if (!mustLeave && isWorking(state) && !state.turn?.stopping) await obey(() => stopTurn(chat));
    else left.resolve(0);
  }

  async function obey(act: () => Promise<CommandOutcome>): Promise<boolean> {
    const { leave, text } = await plainOutcome(act, deps.home);
    if (text !== undefined) printer.print(text);
    return leave;
  }
}

/** Shows what happens and asks for the next line when it is the person's turn: a message, or yes or no. */
function openAsker(chat: Chat, printer: PlainPrinter) {
  let conversation: string | undefined;
  let asked: string | undefined;
  const stopWatching = chat.watch(look);
  look();
  return {
    /** The approval that the line answers, if one was asked for. */
    lineEntered(): string | undefined {
      printer.lineEntered();
      const answered = openApprovals(chat.state()).find((approval) => approval.approvalId === asked);
      asked = undefined;
      return answered?.approvalId;
    },
    ask,
    close: stopWatching,
  };

  function look(): void {
    const state = chat.state();
    const items = allItems(state);
    if (conversation !== state.key) {
      conversation = state.key;
      printer.skip(earlierItems(state));
    }
    printer.skip(items.filter((item) => item.kind === "person" && state.own.has(item.seq)));
    if (printer.show(items)) asked = undefined;
    ask();
  }

  function ask(): void {
    const [approval] = openApprovals(chat.state());
    const next = approval?.approvalId ?? "message";
    if (asked === next || (!approval && !isSettled(chat.state()))) return;
    asked = next;
    if (!approval) {
      printer.prompt("> ");
      return;
    }
    printer.print(`${approval.tool} asks first: ${approval.reason}`);
    printer.print(approval.display);
    printer.prompt(approval.eachTime ? "Allow? [y/N] " : "Allow? [y/N/always] ");
  }
}
