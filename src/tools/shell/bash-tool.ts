import { z } from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult, textResult } from "../../contract/tool.ts";
import { type Sandbox, type SandboxLimits, type SandboxNetwork, usualLimits } from "../sandbox/sandbox.ts";
import { changedFiles } from "./changed-files.ts";
import { openOutputWindow } from "./output-window.ts";
import { describeTrouble, endedWell } from "./process-words.ts";

const keptBytes = 100_000;
const progressEveryMs = 250;

export type ShellDeps = {
  sandbox: Sandbox;
  network: SandboxNetwork;
  limits: Pick<SandboxLimits, "memoryBytes" | "processes">;
  readDirs: readonly string[];
  writeDirs: readonly string[];
  nowMs(): number;
};

export const mayDoAnything = {
  effects: ["changes", "destroys"],
  class: "unsafe",
  undo: { kind: "impossible", reason: "a command may do anything to the files it can reach" },
} as const;

/** Runs a command line in the sandbox; the whole of it is gone when the call is over. */
export function bashTool(deps: ShellDeps): Tool {
  return defineTool({
    name: "bash",
    description: "Run a bash command in the sandboxed workspace, 120 s at most.",
    arguments: z.object({ command: z.string().min(1).max(100_000) }),
    result: textResult,
    ...mayDoAnything,
    command: (args) => args.command,
    formatApproval: (args) => args.command,
    run: (context, args) => runCommand(deps, context, args.command),
  });
}

/** What every command line is run with, in the foreground and behind. */
export function commandIn({ readDirs, writeDirs, network }: ShellDeps, workspace: string, line: string) {
  const argv = ["bash", "--norc", "--noprofile", "-c", line] as const;
  return { argv, cwd: workspace, workspace, readOnly: readDirs, writable: writeDirs, network };
}

async function runCommand(deps: ShellDeps, context: ToolContext, command: string): Promise<ToolResult> {
  const startedMs = deps.nowMs();
  const limits = { ...usualLimits, ...deps.limits, outputBytes: 20 * keptBytes };
  const shared = commandIn(deps, context.workspace, command);
  const running = deps.sandbox.run({ ...shared, environment: {}, limits, stdin: "", signal: context.signal });
  const window = openOutputWindow(keptBytes);
  let toldMs = startedMs;
  for await (const piece of running.output) {
    window.add(piece.text);
    if (deps.nowMs() - toldMs < progressEveryMs) continue;
    toldMs = deps.nowMs();
    context.progress(window.lastLine());
  }
  const end = await running.finished;
  const wrote = await changedFiles(context.workspace, startedMs);
  const trouble = describeTrouble(end, usualLimits.wallMs);
  const advice = end.timedOut ? "; use exec for longer work" : "";
  const output = [window.text(), trouble === undefined ? "" : `[${trouble}${advice}]`].filter((part) => part !== "");
  return { outcome: endedWell(end) ? "done" : "failed", output: output.join("\n"), wrote };
}
