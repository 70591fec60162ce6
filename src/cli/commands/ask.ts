import { text } from "node:stream/consumers";
import { Failure } from "../../contract/failure.ts";
import type { Command } from "../../contract/room/command.ts";
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
    const { openChat } = await import("../chat/open-chat.ts");
    const { reportAnswer } = await import("../chat/report-answer.ts");
    const { untilSettled } = await import("../chat/until-settled.ts");
    const chat = await openChat(chatDeps(context), sessionKeyFor(values.session));
    try {
      const before = chat.state();
      chat.send(message);
      await untilSettled(chat);
      return reportAnswer(console, before, chat.state());
    } finally {
      await chat.close();
    }
  },
};
