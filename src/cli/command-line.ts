// The front of the program: arguments in, an exit code out. Everything it knows of the assistant comes through the gateway.
import { watchForClosedPipe } from "./closed-pipe.ts";
import type { CommandLineDeps } from "./command-line-deps.ts";
import { printFailure, toldFailure, wantsJson } from "./print-failure.ts";

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
  try {
    // a daemon runs for months and needs no reader of arguments
    if (argv.length === 1 && argv[0] === "daemon") return await deps.runDaemon();
    if (argv.length === 0) return await runBare(deps);
    const { runCommand } = await import("./run-command.ts");
    return await runCommand(deps, argv);
  } catch (error) {
    printFailure(deps.console, toldFailure(error, deps.home), wantsJson(argv));
    return 1;
  }
}

async function runBare(deps: CommandLineDeps): Promise<number> {
  // no terminal and nothing to read: a service manager has started it
  if (deps.console.hasInput === false) return deps.runDaemon();
  const { runChat } = await import("./commands/chat.ts");
  return runChat(deps, { mayRunHeadless: true });
}
