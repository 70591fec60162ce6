// The guard's rules on the command line. Each is imported when it runs, so that every other command starts without them.
import type { ExtraCommand } from "../../contract/extra-command.ts";
import type { Settings } from "../../contract/settings.ts";

const groupSummary = "Try the guard's rules without running anything";
const workspaceOption = {
  flags: "--workspace <dir>",
  description: "the folder in which the command would run; the current one if not given",
};

export function guardCommands(settings: () => Promise<Settings>): readonly ExtraCommand[] {
  return [
    {
      name: "guard shell",
      groupSummary,
      summary: "Judge shell commands: JSON lines {id, command} in, {id, verdict, rule, reason} out",
      options: [workspaceOption],
      async run(_args, options, console) {
        const { judgeCommandLines } = await import("./judge-commands.ts");
        return judgeCommandLines(await settings(), options.workspace, console);
      },
    },
    {
      name: "guard explain",
      groupSummary,
      summary: "Say why a shell command would run, ask or be refused",
      arguments: "<command>",
      options: [workspaceOption],
      async run([command = ""], options, console) {
        const { explainCommand } = await import("./judge-commands.ts");
        return explainCommand(await settings(), options.workspace, command, console);
      },
    },
    {
      name: "guard redact",
      groupSummary,
      summary: "Mask secrets in the input",
      options: [{ flags: "--known <file>", description: "further secrets, one a line" }],
      async run(_args, options, console) {
        const { redactInput } = await import("./redact-input.ts");
        return redactInput(options.known, console);
      },
    },
    {
      name: "guard url",
      groupSummary,
      summary: "Judge addresses: JSON lines {id, url, dns, redirects} in, {id, verdict, connected, reason} out",
      options: [],
      async run(_args, _options, console) {
        const { judgeAddressLines } = await import("./judge-addresses.ts");
        return judgeAddressLines(console);
      },
    },
  ];
}
