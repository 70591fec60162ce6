// The guard's rules on the command line. Each is imported when it runs, so that every other command starts without them.
import type { Command } from "../../contract/room/command.ts";
import { jsonNotes, jsonOption } from "../../contract/room/json-output.ts";

const workspaceOption = {
  form: "--workspace <dir>",
  description: "the folder in which the command would run; the current one if not given",
};

export const guardCommand: Command = {
  name: "guard",
  summary: "Try the guard's rules without running anything",
  commands: [
    {
      name: "shell",
      summary: "Judge shell commands: JSON lines {id, command} in, {id, verdict, rule, reason} out",
      options: [workspaceOption],
      async run({ values }, { console, readSettings }) {
        const { judgeCommandLines } = await import("./judge-commands.ts");
        return judgeCommandLines((await readSettings()).settings, values.workspace, console);
      },
    },
    {
      name: "explain",
      summary: "Say why a shell command would run, ask or be refused",
      arguments: [{ form: "<command>", description: "as it would be typed, in one pair of quotes" }],
      notes: jsonNotes("command, verdict: allow, ask or deny, rule?, reason?"),
      options: [workspaceOption, jsonOption],
      async run({ arguments: [command = ""], values, flags }, { console, readSettings }) {
        const { explainCommand } = await import("./judge-commands.ts");
        const asked = { command, folder: values.workspace, asJson: flags.has("json") };
        return explainCommand((await readSettings()).settings, asked, console);
      },
    },
    {
      name: "redact",
      summary: "Mask secrets in the input",
      options: [{ form: "--known <file>", description: "further secrets, one a line" }],
      async run({ values }, { console }) {
        const { redactInput } = await import("./redact-input.ts");
        return redactInput(values.known, console);
      },
    },
    {
      name: "url",
      summary: "Judge addresses: JSON lines {id, url, dns, redirects} in, {id, verdict, connected, reason} out",
      async run(_input, { console }) {
        const { judgeAddressLines } = await import("./judge-addresses.ts");
        return judgeAddressLines(console);
      },
    },
  ],
};
