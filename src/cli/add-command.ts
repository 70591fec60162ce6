import { type Command as CommanderCommand, Option } from "commander";
import type { Command, CommandContext, CommandInput, CommandOption, SingleCommand } from "../contract/room/command.ts";

type Finish = (code: number) => void;

/** Puts a declared command into commander's words; it ends by telling its exit code. */
export function addCommand(parent: CommanderCommand, command: Command, context: CommandContext, finish: Finish): void {
  const added = parent.command(command.name).summary(command.summary);
  if (command.notes) added.addHelpText("after", `\n${command.notes}`);
  if ("run" in command) addSingle(added, command, context, finish);
  else {
    added.usage("[command]").description(command.description ?? "");
    for (const inner of command.commands) addCommand(added, inner, context, finish);
  }
}

function addSingle(added: CommanderCommand, command: SingleCommand, context: CommandContext, finish: Finish): void {
  added.description(command.description ?? command.summary);
  for (const { form, description } of command.arguments ?? []) added.argument(form, description);
  for (const option of command.options ?? []) added.addOption(optionOf(option));
  added.action(async () => finish(await command.run(inputOf(added), context)));
}

function optionOf({ form, description, required = false, choices }: CommandOption): Option {
  const option = new Option(form, description).makeOptionMandatory(required);
  return choices ? option.choices(choices) : option;
}

function inputOf(added: CommanderCommand): CommandInput {
  const flags = new Set<string>();
  const values: Record<string, string> = {};
  for (const option of added.options) {
    const given: unknown = added.getOptionValue(option.attributeName());
    if (given === true) flags.add(option.name());
    if (typeof given === "string") values[option.name()] = given;
  }
  return { arguments: added.args, flags, values };
}
