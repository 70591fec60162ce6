import { defineTool, type Tool, type ToolContext, type ToolResult, textResult } from "../../contract/tool.ts";
import { type SandboxCommand, usualLimits } from "../sandbox/sandbox.ts";
import { callOf, commandIn, mayDoAnything, type ShellDeps } from "./bash-tool.ts";
import { recoverCall } from "./call-records.ts";
import { changedFiles } from "./changed-files.ts";
import { approvalTextOf, commandLineOf, ExecArguments, folderOf, refuseFolder, waitMsOf } from "./exec-arguments.ts";
import { goesOnLine, keepApart } from "./lost-processes.ts";
import {
  onlyRead,
  openProcess,
  type ProcessEnd,
  type ProcessRegistry,
  processLifeMs,
  processOutputBytes,
  type ShellProcess,
} from "./process-registry.ts";
import { describeEnd, describeTime, describeTrouble, endedWell } from "./process-words.ts";

export type ExecDeps = ShellDeps & { registry: ProcessRegistry };

const progressEveryMs = 250;
const shownLength = 50_000;
const execLimits = {
  ...{ ...usualLimits, wallMs: processLifeMs, cpuSeconds: processLifeMs / 1000, outputBytes: processOutputBytes },
};

/** Runs a command line like bash, but lets it go on when it takes longer than the call waits. */
export function execTool(deps: ExecDeps): Tool {
  return defineTool({
    name: "exec",
    description: "Like bash, but after yieldMs it goes on in the background, 30 min at most: see process.",
    arguments: ExecArguments,
    result: textResult,
    ...mayDoAnything,
    command: commandLineOf,
    folder: folderOf,
    formatApproval: approvalTextOf,
    claim: async (context) => deps.records.claim(callOf(context)),
    recover: (context, args, claim) =>
      recoverCall(deps.records, { call: callOf(context), claim, limits: execLimits }, async (command) => {
        const owned = { id: "", owner: callOf(context), command: args.command };
        const process = openProcess(owned, deps.nowMs, onlyRead(command), command.startedMs);
        const end = await process.ended;
        return { ...resultOf(process, end), wrote: await changedFiles(context.workspace, command.startedMs) };
      }),
    run: (context, args) => runExec(deps, context, args),
  });
}

async function runExec(deps: ExecDeps, context: ToolContext, args: ExecArguments): Promise<ToolResult> {
  const refused = await refuseFolder(context.workspace, args);
  if (refused !== undefined) return { outcome: "failed", output: refused };
  const { workspace } = context;
  const started = deps.registry.start(callOf(context), args.command, () =>
    deps.sandbox.run(sandboxCommand(deps, context, args)),
  );
  if ("refused" in started) return { outcome: "failed", output: started.refused };
  await waitForEnd(started, context, waitMsOf(args));
  const goesOn = deps.registry.letGoOn(started);
  const wrote = await changedFiles(workspace, started.startedMs);
  return { ...(goesOn ? resultSoFar(started) : resultOf(started, await started.ended)), wrote };
}

function sandboxCommand(deps: ExecDeps, context: ToolContext, args: ExecArguments): SandboxCommand {
  return {
    ...commandIn(deps, context, commandLineOf(args)),
    environment: args.env ?? {},
    limits: { ...execLimits, ...deps.limits },
    interactive: true,
    // the end of the turn is not the end of the process: the registry ends it
    signal: new AbortController().signal,
  };
}

/** Stopping the turn ends the process, and then its end is waited for however long the wait was to be. */
async function waitForEnd(process: ShellProcess, context: ToolContext, waitMs: number): Promise<void> {
  const { signal } = context;
  const stop = () => process.kill("its own call");
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  const waited = Promise.withResolvers<void>();
  const timer = setTimeout(waited.resolve, waitMs);
  const telling = setInterval(() => tellProgress(process, context), progressEveryMs);
  try {
    await Promise.race([process.ended, waited.promise]);
    if (signal.aborted) await process.ended;
  } finally {
    clearTimeout(timer);
    clearInterval(telling);
    signal.removeEventListener("abort", stop);
  }
}

function tellProgress(process: ShellProcess, context: ToolContext): void {
  const line = process.output.lastLine();
  if (line !== "") context.progress(line);
}

function resultSoFar(process: ShellProcess): ToolResult {
  const { id, output } = process;
  const { text, next } = output.since(output.next() - shownLength, shownLength);
  const howToLook = `You are told when it ends, in ${describeTime(processLifeMs)} at the latest. See process output, id ${id}, since ${next}.`;
  return { outcome: "done", output: [goesOnLine(id, process.command), howToLook, text].join("\n") };
}

function resultOf(process: ShellProcess, end: ProcessEnd): ToolResult {
  const { text, from } = process.output.since(0, Number.POSITIVE_INFINITY);
  const trouble = end.flooded ? describeEnd(end) : describeTrouble(end, processLifeMs);
  const parts = [
    from > 0 ? `[the first ${from} characters are not kept]` : "",
    text,
    trouble === undefined ? "" : `[${trouble}]`,
  ];
  const output = parts.filter((part) => part !== "").join("\n");
  return { outcome: endedWell(end) ? "done" : "failed", output: keepApart(output) };
}
