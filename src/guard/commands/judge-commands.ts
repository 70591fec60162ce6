import { createInterface } from "node:readline";
import { z } from "zod";
import { Failure } from "../../contract/failure.ts";
import type { CommandConsole } from "../../contract/room/command.ts";
import { printJson } from "../../contract/room/json-output.ts";
import type { Settings } from "../../contract/settings.ts";
import { defineTool, textResult } from "../../contract/tool.ts";
import { openGuard } from "../guard.ts";
import type { CommandJudgement, GuardedCall } from "../judgement.ts";
import { checkCommand } from "../shell/check-command.ts";
import { explainVerdict } from "../shell/explain-verdict.ts";
import { judgeFor, shellPolicyFor } from "../shell/judge-command.ts";
import type { ShellPolicy } from "../shell/policy.ts";
import { nothingTold } from "../told-bits.ts";

const Line = z.object({ id: z.union([z.string(), z.number()]), command: z.string() });

export async function judgeCommandLines(
  settings: Settings,
  folder: string | undefined,
  console: CommandConsole,
): Promise<number> {
  const policy = policyFor(settings, folder);
  for await (const text of createInterface({ input: console.input })) {
    if (text.trim() !== "") console.output.write(`${JSON.stringify(judgeLine(policy, text))}\n`);
  }
  return 0;
}

export async function explainCommand(
  settings: Settings,
  { command, folder, asJson }: { command: string; folder: string | undefined; asJson: boolean },
  console: CommandConsole,
): Promise<number> {
  const judge = judgeFor(policyFor(settings, folder));
  const judged = judge.judge(command);
  const guard = openGuard({
    settings: settings.guard,
    shell: async () => ({ ...judge, judge: () => judged }),
    commandsHaveNetwork: false,
    isGranted: async () => false,
    hashFile: async () => "",
  });
  const decision = await guard.decide(asOwnersCall(command, folder ?? "."));
  if (asJson) {
    const { verdict } = decision;
    const why = verdict === "allow" ? {} : { rule: decision.rule, reason: decision.reason };
    printJson(console, { command, verdict, ...why });
    return verdict === "allow" ? 0 : 1;
  }
  const later = decision.verdict === "allow" ? askedLater(settings, judged) : "";
  console.output.write(`${explainVerdict(command, decision)}${later}\n`);
  return decision.verdict === "allow" ? 0 : 1;
}

/** Where others cannot be told anything, words of this machine's own files and programs do not count. */
function askedLater({ sandbox }: Settings, { readsOnly }: CommandJudgement): string {
  const asked = "it is asked about each time.";
  if (sandbox.allowedHosts.length > 0 || sandbox.kind === "none")
    return `\nOnce the conversation holds text that you have not written or vouched for, ${asked}`;
  if (readsOnly) return "";
  return `\nOnce the conversation holds text of others (from the web, mail, uploads or people; not from files and programs here), ${asked}`;
}

/** The command as the owner's own wish in a conversation that has read nothing of others. */
function asOwnersCall(command: string, workspace: string): GuardedCall {
  const tool = defineTool({
    name: "bash",
    description: "",
    arguments: z.object({}),
    result: textResult,
    effects: ["changes", "destroys"],
    class: "unsafe",
    undo: { kind: "nothing to undo" },
    command: () => command,
    formatApproval: () => command,
    run: async () => ({ outcome: "failed", output: "nothing runs here" }),
  });
  const bound = tool.bind({});
  if (!bound.ok) throw new Error(bound.message);
  const asker = { kind: "owner", id: "owner" } as const;
  return { tool, call: bound.call, workspace, asker, labels: [], trustedText: "", told: nothingTold };
}

function judgeLine(policy: ShellPolicy, text: string) {
  const line = readLine(text);
  if (!line)
    return { id: null, verdict: "deny", rule: "input", reason: 'the line is not JSON with "id" and "command"' };
  const verdict = checkCommand(policy, line.command);
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

function policyFor(settings: Settings, workspace = "."): ShellPolicy {
  try {
    return shellPolicyFor(settings, workspace);
  } catch (cause) {
    throw new Failure(`There is no folder ${workspace}. Name one with --workspace.`, { cause });
  }
}
