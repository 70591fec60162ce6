// The declared commands in commander's words: the only file that knows the library which reads the arguments.
import { Argument, Command as CommanderCommand, CommanderError, Option } from "commander";
import { nearestName } from "../contract/names/nearest-name.ts";
import type { Command, CommandArgument, CommandInput, CommandOption } from "../contract/room/command.ts";
import type { CommandLineDeps } from "./command-line-deps.ts";
import { listCommands } from "./commands/list-commands.ts";
import { printFailure, wantsJson } from "./print-failure.ts";

export async function runCommand(deps: CommandLineDeps, argv: readonly string[]): Promise<number> {
  let code = 0;
  const program = describeProgram(deps);
  const commands = listCommands(deps);
  for (const command of commands) addCommand(program, command);
  try {
    await program.parseAsync(withCommandName(commands, argv), { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    const message = `${usageWords(error)} What there is: ${[...namedCommand(commands, argv), "--help"].join(" ")}`;
    printFailure(deps.console, { code: "usage", message }, wantsJson(argv));
    return 2;
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
    for (const argument of command.arguments ?? []) added.addArgument(argumentOf(argument));
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

function argumentOf({ form, description, choices }: CommandArgument): Argument {
  const argument = new Argument(form, description);
  return choices ? argument.choices(choices) : argument;
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

// options without a command belong to the chat; those of a group, and its first word alone, to the one that runs by itself
function withCommandName(commands: readonly Command[], argv: readonly string[]): string[] {
  const [first = "", second] = argv;
  if (isForeignOption(first)) return ["chat", ...argv];
  const named = commands.find((command) => command.name === first);
  if (!named || !("commands" in named)) return [...argv];
  if (second === undefined) return [first, named.default ?? "--help"];
  return named.default !== undefined && isForeignOption(second) ? [first, named.default, ...argv.slice(1)] : [...argv];
}

function isForeignOption(word: string): boolean {
  return word.startsWith("-") && !["-h", "--help", "-V", "--version"].includes(word);
}

/** The command whose help says more: `["steward", "token", "list"]`. */
function namedCommand(commands: readonly Command[], argv: readonly string[]): string[] {
  const [first, second] = argv;
  const named = commands.find((command) => command.name === first);
  if (!named) return ["steward"];
  const inner = "commands" in named ? named.commands.find((command) => command.name === second) : undefined;
  return ["steward", named.name, ...(inner ? [inner.name] : [])];
}

function usageWords(error: CommanderError): string {
  // help for what there is not is an error without words
  const message = error.code === "commander.help" ? "there is no such command" : error.message;
  const words = message.replace(/^error: /, "").replace(/\n\(Did you mean (.+)\?\)/s, "; did you mean $1?");
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  return `${sentence}${/[.?!]$/.test(sentence) ? "" : "."}${likelyChoice(message)}`;
}

function likelyChoice(message: string): string {
  const [, given = "", choices = ""] = /'([^']*)' is invalid[^.]*\. Allowed choices are (.+)\.$/.exec(message) ?? [];
  const meant = nearestName(given, choices.split(", "));
  return meant ? ` Did you mean ${meant}?` : "";
}
