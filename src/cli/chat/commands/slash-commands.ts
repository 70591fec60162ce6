// The commands of the chat, the same in both views.
import { alignColumns } from "../../../contract/words/align-columns.ts";
import { visibleLine } from "../../visible-text.ts";
import type { Chat } from "../open-chat.ts";
import { spendingTable } from "../spending-table.ts";
import { answerApproval } from "./answer-approval.ts";
import { chooseAgent, chooseModel, chooseSession, chooseThinking } from "./choices.ts";
import { type CommandOutcome, said } from "./command-outcome.ts";

export type Keys = readonly (readonly [key: string, does: string])[];
export type SlashCommand = {
  name: string;
  otherNames?: readonly string[];
  hint: string;
  summary: string;
  /** `keys` are those of the view, for the help. */
  run(chat: Chat, argument: string, keys: Keys): Promise<CommandOutcome>;
};

export const slashCommands: readonly SlashCommand[] = [
  { name: "help", hint: "", summary: "Show these commands and the keys", run: showHelp },
  { name: "new", hint: "", summary: "Begin a new conversation", run: beginConversation },
  { name: "sessions", hint: "[key]", summary: "List conversations, or go to one", run: chooseSession },
  { name: "model", hint: "[name]", summary: "List models, or choose one for this conversation", run: chooseModel },
  { name: "thinking", hint: "[level]", summary: "How long the model may think", run: chooseThinking },
  { name: "agent", hint: "[id]", summary: "List agents, or choose one for this conversation", run: chooseAgent },
  { name: "skills", hint: "", summary: "List the skills it can use", run: showSkills },
  { name: "stop", hint: "", summary: "Stop what it is doing", run: stopTurn },
  { name: "undo", hint: "", summary: "Take back the last change to files", run: undoChange },
  { name: "usage", hint: "", summary: "Tokens and cost of this conversation", run: showUsage },
  {
    name: "approve",
    hint: "[id|all]",
    summary: "Allow what was asked, or everything that waits here",
    run: (chat, argument) => answerApproval(chat, "approve", argument),
  },
  {
    name: "deny",
    hint: "[reason|all]",
    summary: "Refuse what was asked and say why, or everything that waits here",
    run: (chat, argument) => answerApproval(chat, "deny", argument),
  },
  { name: "quit", otherNames: ["exit"], hint: "", summary: "Leave", run: async () => ({ kind: "quit" }) },
];

/** Those that a line may still become, the one that it names already first. */
export function commandsFor(typed: string): readonly SlashCommand[] {
  if (!/^\/[a-z]*$/.test(typed)) return [];
  const begun = slashCommands.filter((command) => command.name.startsWith(typed.slice(1)));
  return begun.toSorted((one, other) => Number(`/${other.name}` === typed) - Number(`/${one.name}` === typed));
}

async function undoChange(chat: Chat): Promise<CommandOutcome> {
  const { undone, output } = await chat.call("changes.undo", { sessionKey: chat.state().key });
  // what was taken back is told by the log, to everybody who watches
  return undone ? { kind: "done" } : said(output);
}

export async function stopTurn(chat: Chat): Promise<CommandOutcome> {
  const { turn, key } = chat.state();
  if (!turn) return said("Nothing is running.");
  await chat.call("chat.abort", { sessionKey: key });
  return { kind: "done" };
}

async function beginConversation(chat: Chat): Promise<CommandOutcome> {
  const { sessionKey } = await chat.call("sessions.create", { channel: "terminal" });
  await chat.switchTo(sessionKey);
  return said(`A new conversation: ${sessionKey}`);
}

async function showUsage(chat: Chat): Promise<CommandOutcome> {
  const { rows } = await chat.call("usage.get", { sessionKey: chat.state().key });
  return said(spendingTable(rows), "text");
}

async function showSkills(chat: Chat): Promise<CommandOutcome> {
  const { skills, problems } = await chat.call("skills.list", {});
  const rows = skills.map(({ name, description }) => [name, visibleLine(description, 60)]);
  const left = problems.filter(({ severity }) => severity === "error").length;
  const more = left > 0 ? ["", `${left} left out; what is wrong: steward skills check`] : [];
  return said([...alignColumns(rows), ...more].join("\n") || "There are no skills.", "text");
}

async function showHelp(_chat: Chat, _argument: string, keys: Keys): Promise<CommandOutcome> {
  const commands = slashCommands.map((command) => [`/${command.name} ${command.hint}`.trim(), command.summary]);
  const rows = keys.length === 0 ? commands : [...commands, ["", ""], ...keys];
  return said([...alignColumns(rows), "", "A message that begins with // is sent with one slash."].join("\n"), "text");
}
