import { text } from "node:stream/consumers";
import { Failure } from "../../contract/failure.ts";
import type { ChatState } from "../chat/chat-state.ts";
import { openApprovals } from "../chat/chat-state.ts";
import { openChat } from "../chat/open-chat.ts";
import { untilSettled } from "../chat/until-settled.ts";
import type { ViewItem } from "../chat/view-item.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";
import { visibleLine } from "../visible-text.ts";
import { connectionDeps } from "./connection-deps.ts";
import { sessionKeyFor } from "./session-key.ts";

/** One message; its answer goes to the output. The exit code is 0 when there was one. */
export async function askOnce(deps: CommandLineDeps, words: string, options: { session?: string }): Promise<number> {
  const message = (words === "-" ? await text(deps.console.input) : words).trim();
  if (message === "") throw new Failure('There is nothing to ask. Write it like this: steward ask "What can you do?"');
  const chat = await openChat(connectionDeps(deps), sessionKeyFor(options.session));
  try {
    const before = new Set(chat.state().items.map((item) => item.id));
    chat.send(message);
    await untilSettled(chat);
    return report(deps, chat.state(), (item) => !before.has(item.id));
  } finally {
    await chat.close();
  }
}

function report({ console }: CommandLineDeps, state: ChatState, isNew: (item: ViewItem) => boolean): number {
  const question = state.items.findLast((item) => item.kind === "user" && item.mine);
  const turn = question?.kind === "user" ? question.turn : undefined;
  const answer = state.items.findLast((item) => item.kind === "assistant" && turn !== undefined && item.turn === turn);
  if (answer?.kind === "assistant") {
    const files = answer.attachments.map((attachment) => `[file] ${attachment}`);
    console.output.write(`${[answer.text.trimEnd(), ...files].filter(Boolean).join("\n")}\n`);
  }
  for (const item of state.items.filter(isNew))
    if (item.kind === "notice" && item.tone !== "quiet") console.errors.write(`${item.text}\n`);
  const waiting = openApprovals(state).filter((approval) => approval.turn === turn);
  for (const { approvalId, display } of waiting) {
    console.errors.write(`This waits for your approval: ${visibleLine(display)}\n`);
    console.errors.write(`Allow it with: steward approve ${approvalId}\n`);
  }
  const answered = turn !== undefined && state.lastEnding?.turn === turn && state.lastEnding.ending === "answered";
  return answered ? 0 : 1;
}
