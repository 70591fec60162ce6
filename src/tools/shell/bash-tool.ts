import { z } from "zod";
import type { Group } from "../../contract/channel/group.ts";
import { defineTool, type Tool, type ToolContext, type ToolResult, textResult } from "../../contract/tool.ts";
import type { Mount } from "../sandbox/mount-rules.ts";
import type { ReplayedCommand } from "../sandbox/record/replay-command.ts";
import { type Sandbox, type SandboxLimits, type SandboxNetwork, usualLimits } from "../sandbox/sandbox.ts";
import { type CallRecords, type RecordedCall, recoverCall } from "./call-records.ts";
import { changedFiles } from "./changed-files.ts";
import { closedFolders } from "./closed-folders.ts";
import { openOutputWindow } from "./output-window.ts";
import { describeTrouble, endedWell } from "./process-words.ts";

const keptBytes = 100_000;
const progressEveryMs = 250;
const outputBytes = 20 * keptBytes;

export type ShellDeps = {
  sandbox: Sandbox;
  records: CallRecords;
  network: SandboxNetwork;
  limits: Pick<SandboxLimits, "memoryBytes" | "processes">;
  readDirs: readonly string[];
  writeDirs: readonly string[];
  /** Folders that have another path inside. */
  mounts?: readonly Mount[];
  /** Why folders that belong to them are not there, a sentence each. */
  missing?: readonly string[];
  nowMs(): number;
};

/** How long a command may take, until which the call waits. */
export type BashDeps = ShellDeps & { bashTimeoutMs: number };

export const mayDoAnything = {
  effects: ["changes", "destroys"],
  class: "unsafe",
  undo: { kind: "impossible", reason: "a command may do anything to the files it can reach" },
} as const;

/** What the commands of a group are run with. */
type OfGroup = (group: Group, workspace: string, own: BashDeps) => Promise<BashDeps | { unavailable: string }>;

/** Runs a command line in the sandbox; the whole of it is gone when the call is over. */
export function bashTool(deps: BashDeps, ofGroup: OfGroup): Tool {
  return defineTool({
    name: "bash",
    description: `Run a bash command in the sandboxed workspace, ${deps.bashTimeoutMs / 1000} s at most.`,
    arguments: z.object({ command: z.string().min(1).max(100_000) }),
    result: textResult,
    ...mayDoAnything,
    command: (args) => args.command,
    formatApproval: (args) => args.command,
    claim: async (context) => deps.records.claim(callOf(context)),
    recover: (context, _args, claim) =>
      recoverCall(deps.records, { call: callOf(context), claim, limits: { outputBytes } }, (command) =>
        answer(deps, context, command),
      ),
    async run(context, args) {
      const used = context.group ? await ofGroup(context.group, context.workspace, deps) : deps;
      if ("unavailable" in used) return { outcome: "failed", output: used.unavailable };
      return runCommand(used, context, args.command);
    },
  });
}

/** What every command line is run with, in the foreground and behind. */
export function commandIn(deps: ShellDeps, context: ToolContext, line: string) {
  const { readDirs, writeDirs, mounts, network, records } = deps;
  const { workspace } = context;
  const argv = ["bash", "--norc", "--noprofile", "-c", line] as const;
  const recordPlace = records.placeOf(callOf(context));
  const folders = { readOnly: readDirs, writable: writeDirs, ...(mounts && { mounts }) };
  return { argv, cwd: workspace, workspace, ...folders, network, recordPlace };
}

export function callOf({ conversation, turn, callId }: ToolContext): RecordedCall {
  return { conversation, turn, callId };
}

async function runCommand(deps: BashDeps, context: ToolContext, command: string): Promise<ToolResult> {
  const startedMs = deps.nowMs();
  const running = deps.sandbox.run({
    ...{ ...commandIn(deps, context, command), environment: {}, stdin: "", signal: context.signal },
    limits: {
      ...{ ...usualLimits, ...deps.limits, outputBytes, wallMs: deps.bashTimeoutMs },
      cpuSeconds: Math.max(usualLimits.cpuSeconds, deps.bashTimeoutMs / 1000),
    },
  });
  return answer(deps, context, { ...running, startedMs });
}

/** What a command that failed may have failed by, and cannot know. */
export function hints(
  { writeDirs }: ShellDeps,
  { workspace }: ToolContext,
  end: Parameters<typeof endedWell>[0],
): readonly string[] {
  return endedWell(end) ? [] : closedFolders({ workspace, writeDirs }).map((hint) => `[${hint}]`);
}

async function answer(deps: BashDeps, context: ToolContext, command: ReplayedCommand): Promise<ToolResult> {
  const { output, finished, startedMs } = command;
  const window = openOutputWindow(keptBytes);
  let toldMs = startedMs;
  for await (const piece of output) {
    window.add(piece.text);
    if (deps.nowMs() - toldMs < progressEveryMs) continue;
    toldMs = deps.nowMs();
    context.progress(window.lastLine());
  }
  const end = await finished;
  const wrote = await changedFiles(context.workspace, startedMs);
  const trouble = describeTrouble(end, deps.bashTimeoutMs);
  const advice = end.timedOut && !context.group ? "; use exec for longer work" : "";
  const missing = deps.missing?.map((why) => `[${why} This ran without it.]`) ?? [];
  const told = [trouble === undefined ? "" : `[${trouble}${advice}]`, ...missing, ...hints(deps, context, end)];
  const text = [window.text(), ...told].filter((part) => part !== "").join("\n");
  return { outcome: endedWell(end) ? "done" : "failed", output: text, wrote };
}
