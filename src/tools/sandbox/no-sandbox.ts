import { commandEnvironment } from "./command-environment.ts";
import type { Sandbox, SandboxCommand } from "./sandbox.ts";
import { type Preparation, startCommand, takesInput } from "./start-command.ts";
import { startProcess } from "./start-process.ts";

export type NoSandboxDeps = { prlimit: string | undefined; temporaryFolder: string };

/** Commands run with all of Steward's rights. Only ever chosen by an explicit setting. */
export function openNoSandbox(deps: NoSandboxDeps): Sandbox {
  return {
    name: "none",
    run: (command) => startCommand(command, () => prepare(command)),
    describe: () => "NO SANDBOX: commands can read, change and send everything that you can. Set sandbox.kind to auto.",
  };

  async function prepare(command: SandboxCommand): Promise<Preparation> {
    const { cpuSeconds, fileBytes } = command.limits;
    const limits = deps.prlimit ? [deps.prlimit, "--core=0", `--cpu=${cpuSeconds}`, `--fsize=${fileBytes}`, "--"] : [];
    const [file = "", ...args] = [...limits, ...command.argv];
    const environment = { ...commandEnvironment(command), HOME: deps.temporaryFolder };
    const program = { file, args, environment, cwd: command.cwd, takesInput: takesInput(command), descriptors: [] };
    return {
      kind: "ready",
      launch: { start: () => ({ child: startProcess(program) }) },
      release: async () => ({ notices: [], isClear: true }),
    };
  }
}
