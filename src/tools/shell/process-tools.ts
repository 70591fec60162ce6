import { z } from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult, textResult } from "../../contract/tool.ts";
import { readsOnly } from "../reads-only.ts";
import { changedFiles } from "./changed-files.ts";
import { isEndedLine } from "./lost-processes.ts";
import type { ProcessRegistry, ShellProcess } from "./process-registry.ts";
import { describeEnd, describeState, describeTime, shortCommand } from "./process-words.ts";

export type ProcessToolDeps = {
  registry: ProcessRegistry;
  /** What clings to the files that a process may have read. */
  labelsOfFiles(): Promise<readonly string[]>;
  nowMs(): number;
};

const pageLength = 50_000;
const tailLength = 20_000;

/** Looks at the processes of a conversation. */
export function processTool(deps: ProcessToolDeps): Tool {
  return defineTool({
    name: "process",
    description: "List exec's processes, or show the output of one.",
    arguments: z.object({
      action: z.enum(["list", "output"]),
      id: z.string().max(20).optional(),
      since: z.number().int().min(0).optional().describe("Position"),
    }),
    ...readsOnly,
    formatApproval: ({ action, id }) => (action === "list" ? "List processes" : `Show the output of ${id ?? "?"}`),
    run: async (context, args) => {
      if (args.action === "list") return listProcesses(deps, context);
      const process = findProcess(deps, context, args.id);
      return "refused" in process ? failed(process.refused) : showOutput(deps, context, process, args.since);
    },
  });
}

/** Acts on a process: what it reads decides what it does, so it counts as the command does. */
export function processControlTool(deps: ProcessToolDeps): Tool {
  return defineTool({
    name: "process_control",
    description: "Send a line to a process, end its input, or kill it.",
    arguments: z.object({
      action: z.enum(["input", "end_input", "kill"]),
      id: z.string().max(20),
      text: z.string().max(100_000).optional(),
    }),
    result: textResult,
    effects: ["changes", "destroys"],
    class: "unsafe",
    undo: { kind: "impossible", reason: "what a process has read or lost cannot be taken back" },
    formatApproval: ({ action, id, text }) => `${controlWords[action]} ${id}${text === undefined ? "" : `: ${text}`}`,
    run: async (context, args) => {
      const process = findProcess(deps, context, args.id);
      if ("refused" in process) return failed(process.refused);
      if (process.end) return failed(`${process.id} has ended already: ${describeEnd(process.end)}.`);
      return args.action === "kill" ? killProcess(process) : sendInput(process, args.action, args.text);
    },
  });
}

const controlWords = { input: "Send to", end_input: "End the input of", kill: "Kill" } as const;

function listProcesses(deps: ProcessToolDeps, { conversation }: ToolContext): ToolResult {
  const lines = deps.registry.list(conversation).map((process) => {
    const state = describeState(process, deps.nowMs());
    return [process.id, state, `${process.output.bytes()} bytes`, shortCommand(process.command)].join("\t");
  });
  return { outcome: "done", output: lines.join("\n") || `There are no processes. ${fate}` };
}

const fate = "They end when Steward restarts, and are forgotten 30 minutes after their end.";

function findProcess(
  deps: ProcessToolDeps,
  { conversation }: ToolContext,
  id: string | undefined,
): ShellProcess | { refused: string } {
  const own = deps.registry.list(conversation);
  const found = own.find((process) => process.id === id);
  if (found) return found;
  const known = own.length === 0 ? "There are none." : `There are: ${own.map((process) => process.id).join(", ")}.`;
  const problem = id === undefined ? "Give the id of a process." : `There is no process ${JSON.stringify(id)} here.`;
  return { refused: `${problem} ${known} ${fate}` };
}

async function showOutput(
  deps: ProcessToolDeps,
  context: ToolContext,
  process: ShellProcess,
  since: number | undefined,
): Promise<ToolResult> {
  const { output, startedMs } = process;
  const asked = since ?? Math.max(0, output.next() - tailLength);
  const { text, from, next } = output.since(asked, pageLength);
  const missing = from > asked ? `; ${asked} to ${from} is no longer kept` : "";
  const more = next < output.next() ? `, ${output.next() - next} characters follow` : "";
  const first = `[${process.id}: ${describeState(process, deps.nowMs())}; output from ${from}${missing}; next since ${next}${more}]`;
  return {
    outcome: "done",
    output: text === "" ? first : `${first}\n${text}`,
    // what it wrote while nobody looked gets its labels now
    wrote: await changedFiles(context.workspace, startedMs),
    labels: await deps.labelsOfFiles(),
  };
}

async function killProcess(process: ShellProcess): Promise<ToolResult> {
  process.kill("conversation");
  const end = await process.ended;
  const ran = describeTime(end.durationMs);
  return { outcome: "done", output: `${isEndedLine(process.id)} It ran for ${ran}.` };
}

function sendInput(process: ShellProcess, action: "input" | "end_input", text: string | undefined): ToolResult {
  if (action === "input" && text === undefined) return failed("Give the text that is to be sent.");
  if (!process.isInputOpen) return failed(`The input of ${process.id} has been ended already.`);
  if (text !== undefined) process.write(text.endsWith("\n") ? text : `${text}\n`);
  if (action === "end_input") process.endInput();
  return {
    outcome: "done",
    output: `Sent to ${process.id}. See process output, id ${process.id}, since ${process.output.next()}.`,
  };
}

function failed(output: string): ToolResult {
  return { outcome: "failed", output };
}
