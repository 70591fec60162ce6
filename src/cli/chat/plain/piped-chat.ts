// The chat for programs: each line that comes in is a message, the answers go out, and nothing else does.
import { createInterface } from "node:readline";
import type { CommandConsole } from "../../../contract/room/command.ts";
import { type ChatState, openApprovals } from "../chat-state.ts";
import { answerInWords, isPlainAnswer } from "../commands/answer-approval.ts";
import type { CommandOutcome } from "../commands/command-outcome.ts";
import { submitLine } from "../commands/submit-line.ts";
import type { Chat } from "../open-chat.ts";
import { tellWaiting } from "../print-answer.ts";
import { failWhenGone, until, untilSettled } from "../until-settled.ts";
import { plainOutcome } from "./plain-outcome.ts";
import { openPlainPrinter } from "./plain-printer.ts";

export type PipedChatDeps = { chat: Chat; console: CommandConsole; home: string };

/** How many lines came in, and the exit code. */
export type PipedChatEnd = { code: number; lines: number };

export async function runPipedChat(deps: PipedChatDeps): Promise<PipedChatEnd> {
  const { chat, console } = deps;
  const stopTelling = tellWhatHappens(deps);
  const lines = createInterface({ input: console.input, terminal: false, crlfDelay: Number.POSITIVE_INFINITY });
  const interrupted = Promise.withResolvers<PipedChatEnd>();
  const stopListening = console.onInterrupt(() => interrupted.resolve({ code: 130, lines: 0 }));
  try {
    return await Promise.race([sendLines(deps, lines), interrupted.promise, failWhenGone(chat)]);
  } finally {
    stopListening();
    stopTelling();
    lines.close();
  }
}

/** Each line is sent when the one before it is answered or waits for a person; at the end the last answer is awaited. */
async function sendLines({ chat, console, home }: PipedChatDeps, lines: AsyncIterable<string>): Promise<PipedChatEnd> {
  let failures = 0;
  let count = 0;
  for await (const line of lines) {
    count++;
    const { leave, failed, text } = await plainOutcome(() => takeLine(chat, line), home);
    if (text !== undefined) (failed ? console.errors : console.output).write(`${text}\n`);
    if (failed) failures++;
    if (leave) break;
    await untilSettled(chat);
  }
  return { code: failures === 0 ? 0 : 1, lines: count };
}

/** A plain yes or no answers the question that waits; whatever else comes in is a message, since nobody has read the question. */
async function takeLine(chat: Chat, line: string): Promise<CommandOutcome> {
  const [asked] = openApprovals(chat.state());
  if (!asked || !isPlainAnswer(line)) return submitLine(chat, line);
  const outcome = await answerInWords(chat, asked.approvalId, line);
  await until(chat, () => openApprovals(chat.state()).every(({ approvalId }) => approvalId !== asked.approvalId));
  return outcome;
}

/** Answers go to the output, warnings and approvals that stay open to the errors; what is known already is left out. */
export function tellWhatHappens(
  { chat, console }: { chat: Chat; console: CommandConsole },
  known: ChatState = { ...chat.state(), items: chat.state().items.filter((item) => item.kind !== "approval") },
): () => void {
  const printer = openPlainPrinter({
    write: (text) => console.output.write(text),
    warn: (text) => console.errors.write(text),
    watched: false,
  });
  const told = new Set(openApprovals(known).map((approval) => approval.approvalId));
  let conversation = known.key;
  printer.skip(known.items);
  look();
  return chat.watch(look);

  function look(): void {
    const state = chat.state();
    if (conversation !== state.key) printer.skip(state.items);
    conversation = state.key;
    printer.show(state.items);
    for (const approval of openApprovals(state)) {
      if (told.has(approval.approvalId)) continue;
      told.add(approval.approvalId);
      tellWaiting(console, approval);
    }
  }
}
