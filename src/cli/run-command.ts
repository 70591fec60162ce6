// The declared commands in commander's words: the only file that knows the library which reads the arguments.
import { Command as CommanderCommand, CommanderError, Option } from "commander";
import type { Command, CommandInput, CommandOption } from "../contract/room/command.ts";
import type { CommandLineDeps } from "./command-line-deps.ts";
import { listCommands } from "./commands/list-commands.ts";

export async function runCommand(deps: CommandLineDeps, argv: readonly string[]): Promise<number> {
  let code = 0;
  const program = describeProgram(deps);
  const commands = listCommands(deps);
  for (const command of commands) addCommand(program, command);
  try {
    await program.parseAsync(withCommandName(commands, argv), { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return tellUsage(deps, error);
    throw error;
  }

  /** Puts a declared command into commander's words. */
  function addCommand(parent: CommanderCommand, command: Command): void {
    const added = parent.command(command.name).summary(command.summary);
    if (command.notes) added.addHelpText("after", `\n${command.notes}`);
    if ("commands" in command) {
      added.usage("[command]").description(command.description ?? "");
      for (const inner of command.commands) addCommand(added, inner);
      return;
    }
    added.description(command.description ?? command.summary);
    for (const { form, description } of command.arguments ?? []) added.argument(form, description);
    for (const option of command.options ?? []) added.addOption(optionOf(option));
    added.action(async () => {
      code = await command.run(inputOf(added), deps);
    });
  }
}

function describeProgram(deps: CommandLineDeps): CommanderCommand {
  return new CommanderCommand("steward")
    .description("Your own assistant: it remembers, acts with tools, and asks before it does anything that matters.")
    .version(deps.version, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Show this help")
    .helpCommand("help [command]", "Show the help of a command")
    .usage("[command] [options]")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void deps.console.output.write(text),
      // commander's own words are put into a sentence below
      writeErr: () => undefined,
      getOutHelpWidth: () => Math.min(100, deps.console.output.columns ?? 80),
      getOutHasColors: () => deps.console.colors,
    })
    .addHelpText("after", "\nWithout a command: chat. Every --json output keeps its field names between versions.");
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

// options without a command belong to the chat; a group's first word alone means one of its commands, or its help
function withCommandName(commands: readonly Command[], argv: readonly string[]): string[] {
  const [first = ""] = argv;
  const ownOptions = ["-h", "--help", "-V", "--version"];
  if (first.startsWith("-") && !ownOptions.includes(first)) return ["chat", ...argv];
  const named = commands.find((command) => command.name === first);
  const usual = argv.length === 1 && named && "commands" in named ? (named.default ?? "--help") : undefined;
  return usual === undefined ? [...argv] : [first, usual];
}

function tellUsage(deps: CommandLineDeps, error: CommanderError): number {
  if (error.exitCode === 0) return 0;
  // help for what there is not is an error without words
  const message = error.code === "commander.help" ? "there is no such command" : error.message;
  const words = message.replace(/^error: /, "").replace(/\n\(Did you mean (.+)\?\)/s, "; did you mean $1?");
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  const end = /[.?!]$/.test(sentence) ? "" : ".";
  deps.console.errors.write(`${sentence}${end} What there is: steward --help\n`);
  return 2;
}
