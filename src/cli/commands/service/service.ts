// `steward service …`: Steward in the hands of the system, which starts it by itself and keeps it running.
import type { CommandContext, CommandGroup, CommandInput, SingleCommand } from "../../../contract/room/command.ts";
import { jsonNotes, jsonOption, printJson } from "../../../contract/room/json-output.ts";
import type { CommandLineDeps } from "../../command-line-deps.ts";
import type { ServiceSteps } from "./service-steps.ts";

type Deps = Pick<CommandLineDeps, "machine" | "running">;

const rootOption = {
  form: "--root <folder>",
  description: "a folder to take for / (for packages and images); nothing is started or stopped",
};

export function serviceCommand(deps: Deps): CommandGroup {
  return {
    name: "service",
    summary: "Have the system start Steward and keep it running",
    description: "Have systemd (Linux) or launchd (macOS) start Steward by itself and keep it running.",
    default: "status",
    commands: [
      step("install", "Describe Steward to the system; it starts with it from then on", (steps) => steps.install(), [
        rootOption,
      ]),
      step("start", "Start it now, and wait until it answers", (steps) => steps.start()),
      step("stop", "End it, and wait until it has ended", (steps) => steps.stop()),
      step("restart", "End it and start it, for example after an update", (steps) => steps.restart()),
      statusCommand(deps),
      step("uninstall", "End it and take it out of the system; your data stays", (steps) => steps.uninstall(), [
        rootOption,
      ]),
    ],
  };

  function step(
    name: string,
    summary: string,
    take: (steps: ServiceSteps) => Promise<readonly string[]>,
    options: NonNullable<SingleCommand["options"]> = [],
  ): SingleCommand {
    return {
      name,
      summary,
      notes: jsonNotes("step, told: [what was done, in sentences]"),
      options: [...options, jsonOption],
      async run(input, context) {
        const told = await take(await stepsFor(deps, input, context));
        if (input.flags.has("json")) printJson(context.console, { step: name, told });
        else for (const line of told) context.console.output.write(`${line}\n`);
        return 0;
      },
    };
  }
}

function statusCommand(deps: Deps): SingleCommand {
  return {
    name: "status",
    summary: "Show whether it is installed and running (also without a command)",
    notes: `${jsonNotes("supervisor, path, installed, enabled, active, failed, pid?, detail")}. The exit code is 3 when it does not run.`,
    options: [jsonOption],
    async run(input, context) {
      const status = await (await stepsFor(deps, input, context)).status();
      const { supervisor, path, installed, enabled, active, pid, detail } = status;
      if (input.flags.has("json")) printJson(context.console, status);
      else if (!installed)
        context.console.output.write(
          "Steward is not installed as a service. Install it with: steward service install\n",
        );
      else {
        const process = pid === undefined ? "" : `, process ${pid}`;
        const itself = enabled ? "starts by itself" : "does not start by itself";
        context.console.output.write(`${supervisor}: ${detail}${process}; it ${itself}\n${path}\n`);
      }
      return active ? 0 : 3;
    },
  };
}

async function stepsFor({ machine, running }: Deps, { values }: CommandInput, context: CommandContext) {
  const { openServiceSteps } = await import("./service-steps.ts");
  return openServiceSteps({ machine, running, context, root: values.root });
}
