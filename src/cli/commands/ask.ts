import { text } from "node:stream/consumers";
import { Failure } from "../../contract/failure.ts";
import type { Command, CommandConsole } from "../../contract/room/command.ts";
import type { ChatState } from "../chat/chat-state.ts";
import type { ApprovalItem, ViewItem } from "../chat/view-item.ts";
import { visibleLine } from "../visible-text.ts";
import { chatDeps, sessionKeyFor, sessionOption } from "./session-option.ts";

/** One message; its answer goes to the output. */
export const askCommand: Command = {
  name: "ask",
  summary: "Send one message and print the answer",
  description: "Send one message and print the answer. The exit code is 0 when it was answered.",
  arguments: [{ form: "<text...>", description: "the message; - reads it from the input" }],
  options: [sessionOption],
  async run({ arguments: words, values }, context) {
    const { console } = context;
    const written = words.join(" ");
    const message = (written === "-" ? await text(console.input) : written).trim();
    if (message === "")
      throw new Failure('There is nothing to ask. Write it like this: steward ask "What can you do?"');
    const { openApprovals } = await import("../chat/chat-state.ts");
    const { openChat } = await import("../chat/open-chat.ts");
    const { untilSettled } = await import("../chat/until-settled.ts");
    const chat = await openChat(chatDeps(context), sessionKeyFor(values.session));
    try {
      const before = new Set(chat.state().items.map((item) => item.id));
      chat.send(message);
      await untilSettled(chat);
      const state = chat.state();
      return report(console, state, openApprovals(state), (item) => !before.has(item.id));
    } finally {
      await chat.close();
    }
  },
};

function report(
  console: CommandConsole,
  state: ChatState,
  approvals: readonly ApprovalItem[],
  isNew: (item: ViewItem) => boolean,
): number {
  const question = state.items.findLast((item) => item.kind === "user" && item.mine);
  const turn = question?.kind === "user" ? question.turn : undefined;
  const answer = state.items.findLast((item) => item.kind === "assistant" && turn !== undefined && item.turn === turn);
  if (answer?.kind === "assistant") {
    const files = answer.attachments.map((attachment) => `[file] ${attachment}`);
    console.output.write(`${[answer.text.trimEnd(), ...files].filter(Boolean).join("\n")}\n`);
  }
  for (const item of state.items.filter(isNew))
    if (item.kind === "notice" && item.tone !== "quiet") console.errors.write(`${item.text}\n`);
  const waiting = approvals.filter((approval) => approval.turn === turn);
  for (const { approvalId, display } of waiting) {
    console.errors.write(`This waits for your approval: ${visibleLine(display)}\n`);
    console.errors.write(`Allow it with: steward approve ${approvalId}\n`);
  }
  const answered = turn !== undefined && state.lastEnding?.turn === turn && state.lastEnding.ending === "answered";
  return answered ? 0 : 1;
}
