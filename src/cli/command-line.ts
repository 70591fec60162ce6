// The front of the program: arguments in, an exit code out. Everything it knows of the assistant comes through the gateway.
import type { Command, CommanderError } from "commander";
import { watchForClosedPipe } from "./closed-pipe.ts";
import type { CommandLineDeps } from "./command-line-deps.ts";
import { failureWords } from "./failure-words.ts";

export async function runCommandLine(deps: CommandLineDeps, argv: readonly string[]): Promise<number> {
  const watched = watchForClosedPipe(deps.console);
  const code = await runArguments({ ...deps, console: watched.console }, argv);
  await watched.flush();
  return watched.closed() ? 0 : code;
}

async function runArguments(deps: CommandLineDeps, argv: readonly string[]): Promise<number> {
  // answered before anything is loaded
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    deps.console.output.write(`${deps.version}\n`);
    return 0;
  }
  // a daemon runs for months and needs no reader of arguments
  if (argv.length === 1 && argv[0] === "daemon") return runPlainDaemon(deps);
  // no terminal and nothing to read: a service manager has started it
  if (argv.length === 0 && deps.console.hasInput === false) return runPlainDaemon(deps);
  const { Command, CommanderError } = await import("commander");
  const { addCommands } = await import("./add-commands.ts");
  let code = 0;
  const program = new Command("steward");
  prepare(program, deps);
  addCommands(program, deps, (result) => {
    code = result;
  });
  try {
    await program.parseAsync(withCommandName(argv), { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return tellUsage(deps, error);
    deps.console.errors.write(`${failureWords(error, deps.home)}\n`);
    return 1;
  }
}

async function runPlainDaemon(deps: CommandLineDeps): Promise<number> {
  try {
    return await deps.runDaemon();
  } catch (error) {
    deps.console.errors.write(`${failureWords(error, deps.home)}\n`);
    return 1;
  }
}

function prepare(program: Command, deps: CommandLineDeps): void {
  program
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

// options without a command belong to the chat, and the settings alone are to be seen
function withCommandName(argv: readonly string[]): string[] {
  const [first] = argv;
  const ownOptions = ["-h", "--help", "-V", "--version"];
  if (first === undefined) return ["chat", "--or-headless"];
  if (first === "config" && argv.length === 1) return ["config", "show"];
  return first.startsWith("-") && !ownOptions.includes(first) ? ["chat", ...argv] : [...argv];
}

function tellUsage(deps: CommandLineDeps, error: CommanderError): number {
  if (error.exitCode === 0) return 0;
  // `steward help nonsense` and a bare group of commands print their help and count as a mistake
  const words = error.message.replace(/^error: /, "").replace(/\n\(Did you mean (.+)\?\)/s, "; did you mean $1?");
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  const end = /[.?!]$/.test(sentence) ? "" : ".";
  deps.console.errors.write(`${sentence}${end} What there is: steward --help\n`);
  return 2;
}
