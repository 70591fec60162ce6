// What a person typed: a message for the assistant, or a command for this terminal.
import { nearestName } from "../../../contract/names/nearest-name.ts";
import type { Chat } from "../open-chat.ts";
import { type CommandOutcome, said } from "./command-outcome.ts";
import { type Keys, slashCommands } from "./slash-commands.ts";

export async function submitLine(chat: Chat, line: string, keys: Keys = []): Promise<CommandOutcome> {
  const text = line.trim();
  if (text === "") return { kind: "done" };
  if (!text.startsWith("/") || text.startsWith("//")) {
    chat.send(text.startsWith("//") ? text.slice(1) : text);
    return { kind: "done" };
  }
  const [, name = "", rest = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  const command = slashCommands.find((known) => known.name === name || known.otherNames?.includes(name));
  if (command) return command.run(chat, rest.trim(), keys);
  const names = slashCommands.map((known) => known.name);
  const meant = nearestName(name, names);
  const suggestion = meant ? `Did you mean /${meant}?` : "/help lists the commands.";
  return said(`There is no command /${name}. ${suggestion} To send it as a message, begin with //.`, "warning");
}
