// The rules are imported when a command runs, so that every other command starts without them.
import { realpathSync } from "node:fs";
import { createInterface } from "node:readline";
import { z } from "zod";
import type { ExtraCommand } from "../../contract/extra-command.ts";
import { Failure } from "../../contract/failure.ts";
import type { Settings } from "../../contract/settings.ts";
import type { ShellPolicy, ShellVerdict } from "../shell/policy.ts";

const Line = z.object({ id: z.union([z.string(), z.number()]), command: z.string() });
const workspaceOption = {
  flags: "--workspace <dir>",
  description: "the folder in which the command would run; the current one if not given",
};

/** Nothing is run: a command comes in, what the shell rules say of it goes out. */
export function guardShell(settings: () => Promise<Settings>): ExtraCommand {
  return {
    name: "guard shell",
    groupSummary: "Try the guard's rules without running anything",
    summary: "Judge shell commands: JSON lines {id, command} in, {id, verdict, rule, reason} out",
    options: [workspaceOption],
    async run(_args, options, console) {
      const { checkCommand } = await import("../shell/check-command.ts");
      const policy = await policyFor(await settings(), options.workspace);
      const judge = (command: string) => checkCommand(policy, command);
      for await (const text of createInterface({ input: console.input })) {
        if (text.trim() !== "") console.output.write(`${JSON.stringify(judgeLine(judge, text))}\n`);
      }
      return 0;
    },
  };
}

export function guardExplain(settings: () => Promise<Settings>): ExtraCommand {
  return {
    name: "guard explain",
    groupSummary: "Try the guard's rules without running anything",
    summary: "Say why a shell command would run, ask or be refused",
    arguments: "<command>",
    options: [workspaceOption],
    async run([command = ""], options, console) {
      const { checkCommand } = await import("../shell/check-command.ts");
      const { explainVerdict } = await import("../shell/explain-verdict.ts");
      const verdict = checkCommand(await policyFor(await settings(), options.workspace), command);
      console.output.write(`${explainVerdict(command, verdict)}\n`);
      return verdict.verdict === "allow" ? 0 : 1;
    },
  };
}

function judgeLine(judge: (command: string) => ShellVerdict, text: string) {
  const line = readLine(text);
  if (!line)
    return { id: null, verdict: "deny", rule: "input", reason: 'the line is not JSON with "id" and "command"' };
  const verdict = judge(line.command);
  return verdict.verdict === "allow"
    ? { id: line.id, verdict: "allow", rule: "", reason: "" }
    : { id: line.id, ...verdict };
}

function readLine(text: string): z.infer<typeof Line> | undefined {
  try {
    return Line.parse(JSON.parse(text));
  } catch {
    // the answer says that the line cannot be read, which is all there is to say
    return undefined;
  }
}

async function policyFor(settings: Settings, folder: unknown): Promise<ShellPolicy> {
  const { realFileLookup } = await import("../shell/real-file-lookup.ts");
  const { allowedCommands, allowedHosts } = settings.guard;
  return {
    workspace: realWorkspace(typeof folder === "string" ? folder : "."),
    allowedCommands,
    allowedHosts,
    files: realFileLookup,
  };
}

function realWorkspace(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (cause) {
    throw new Failure(`There is no folder ${folder}. Name one with --workspace.`, { cause });
  }
}
