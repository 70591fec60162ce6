import { Failure } from "../../contract/failure.ts";
import type { Command, CommandContext } from "../../contract/room/command.ts";
import { jsonNotes, jsonOption } from "../../contract/room/json-output.ts";
import type { Chat } from "../chat/open-chat.ts";
import { chatDeps, readSessionKey, sessionOption } from "./session-option.ts";

const notes = `What is piped in goes along as a file: cat error.log | steward ask "What is wrong here?"
An input on which nothing comes for 3 seconds is left out, unless the last word is a dash.

${jsonNotes("sessionKey, turn?, ending?, model?, answer, costUsd, approvals: [{approvalId, tool, display, …}], notes: []")}`;

/** One message; its answer goes to the output. */
export const askCommand: Command = {
  name: "ask",
  summary: "Send one message and print the answer",
  description: "Send one message and print the answer. The exit code is 0 when a model has answered it.",
  notes,
  arguments: [{ form: "[text...]", description: "the message; - as the last word: with all that is piped in" }],
  options: [
    sessionOption,
    { form: "--model <name>", description: "the model for this one message, as listed by: steward models" },
    jsonOption,
  ],
  async run({ arguments: words, values, flags }, context) {
    const { readQuestion } = await import("./read-question.ts");
    const sessionKey = await readSessionKey(values.session);
    const question = await readQuestion(context.console, words);
    if (question.text === "")
      throw new Failure('There is nothing to ask. Write it like this: steward ask "What can you do?"');
    const { openChat } = await import("../chat/open-chat.ts");
    const { untilSettled } = await import("../chat/until-settled.ts");
    const { reportAnswer } = await import("../chat/report-answer.ts");
    const { printAnswer } = await import("../chat/print-answer.ts");
    const chat = await openChat(chatDeps(context), sessionKey);
    try {
      return await withModel(context, chat, values.model, async () => {
        const before = chat.state();
        chat.send(question.text, question.attachments);
        await untilSettled(chat);
        const report = reportAnswer(before, chat.state());
        return printAnswer(
          context.console,
          { ...report, notes: [...question.notes, ...report.notes] },
          flags.has("json"),
        );
      });
    } finally {
      await chat.close();
    }
  },
};

/** The conversation has the model for as long as the work takes, and then the one it had before. */
async function withModel<Result>(
  { console }: CommandContext,
  chat: Chat,
  name: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (name === undefined) return work();
  const { findModel } = await import("../chat/commands/choices.ts");
  const found = await findModel(chat, name);
  if (!found.ok) throw new Failure(`${found.problem} List them: steward models`);
  const { key: sessionKey, modelWish: before = null } = chat.state();
  const interrupted = Promise.withResolvers<never>();
  const stopListening = console.onInterrupt(() => interrupted.reject(new Failure("It was interrupted.")));
  await chat.call("sessions.configure", { sessionKey, model: found.model });
  try {
    return await Promise.race([work(), interrupted.promise]);
  } finally {
    stopListening();
    await chat.call("sessions.configure", { sessionKey, model: before });
  }
}
