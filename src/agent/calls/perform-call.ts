// Runs a call or finds out what became of an earlier run: claimed before it acts, and its outcome put into words.
import { setTimeout as sleep } from "node:timers/promises";
import type { NewEvent, ToolOutcome } from "../../contract/event.ts";
import { reasonOf } from "../../contract/failure.ts";
import type { BoundCall, ToolContext, ToolResult } from "../../contract/tool.ts";
import { tellingGridMs } from "../../guard/told-bits.ts";
import { cutLongOutput } from "../../tools/outputs/cut-long-output.ts";
import type { TurnDeps } from "../turn-deps.ts";
import type { CallState } from "../turn-state.ts";
import { anyFile, labelFiles, labelsBefore, labelsOf } from "./label-output.ts";
import type { CallPlace, CallPlan } from "./plan-call.ts";

const mostLinks = 200;
const longestLink = 2_000;
/** In which a command that has taken too long is ended. */
const endSeconds = 15;
const unknownWords =
  "Steward was cut off while this ran, so it is not known whether it was done. It was not repeated. Check before trying again.";
const cutOffWords =
  "Steward was cut off while this ran, and it ended with Steward. What it had done by then stays; it was not run again. So far it had said:";
const stoppedWords = "Stopped before it had finished.";

/** What came of a call, or the question that has to be asked first. */
type Performed = { result: Returned } | { event: NewEvent };
type Returned = { outcome: ToolOutcome; output: string } & Omit<ToolResult, "outcome" | "output">;

/** Resolves with what the log should say, or with nothing when a later process shall find out. */
export async function performCall(
  deps: TurnDeps,
  place: CallPlace,
  state: CallState,
  plan: CallPlan,
): Promise<NewEvent | undefined> {
  const startedMs = deps.world.nowMs();
  const { callId, tool } = state.call;
  const at = { conversation: place.conversation, turn: place.turn };
  const context: ToolContext = {
    ...at,
    callId,
    asker: place.asker,
    workspace: deps.workspace,
    ...(deps.group && { group: deps.group }),
    ...deps.extraDirs,
    signal: place.signal,
    progress: (text) =>
      deps.live({ type: "live.tool_progress", ...at, callId, tool, text: deps.redactor.redact(text) }),
  };
  const call = "call" in plan ? plan.call : undefined;
  const before = call && (await labelsBefore(deps, call));
  const performed = await perform(deps, context, plan);
  if (!performed || "event" in performed) return performed?.event;
  const { result } = performed;
  const labels = await labelsOf(deps, call, before, result);
  const text = deps.redactor.redact(result.output);
  return {
    type: "tool.returned",
    ...at,
    callId,
    tool,
    outcome: result.outcome,
    // what is too long for the model is kept whole, and the model is told how to read the rest
    output: await cutLongOutput(
      deps.outputs,
      { conversation: at.conversation, text, labels },
      deps.settings.tools.maxOutputCharacters,
    ),
    attachments: await Promise.all((result.attachments ?? []).map((attachment) => deps.attachments.add(attachment))),
    durationMs: deps.world.nowMs() - startedMs,
    labels,
    changes: [...(result.changes ?? [])],
    ...(result.links && { links: result.links.filter((link) => link.length <= longestLink).slice(0, mostLinks) }),
    files: await labelFiles(deps, call, [...new Set([...place.labels, ...labels])], result),
  };
}

async function perform(deps: TurnDeps, context: ToolContext, plan: CallPlan): Promise<Performed | undefined> {
  switch (plan.kind) {
    case "ask":
    case "wait":
      return undefined;
    case "answer":
      return { result: { outcome: plan.outcome, output: plan.output } };
    case "recover":
      return recover(deps, context, plan);
    case "run":
      return run(deps, context, plan);
    default:
      return plan satisfies never;
  }
}

async function recover(
  deps: TurnDeps,
  context: ToolContext,
  { call, claim, anew }: Extract<CallPlan, { kind: "recover" }>,
): Promise<Performed | undefined> {
  const recovery = await call.recover(context, claim);
  // what it read may have gone with the process that saw it
  const labelled = (result: ToolResult) =>
    call.command === undefined ? result : { ...result, labels: [...(result.labels ?? []), anyFile] };
  if (recovery.kind === "finished") return { result: labelled(recovery.result) };
  if (recovery.kind === "unknown") return { result: unknown(recovery.soFar && labelled(recovery.soFar)) };
  // files and settings may be others by now than those that were judged
  const plan = await anew();
  return plan.kind === "ask" ? { event: plan.event } : perform(deps, context, plan);
}

function unknown(soFar: ToolResult | undefined): Returned {
  const output = soFar === undefined ? unknownWords : `${cutOffWords}\n${soFar.output}`;
  return { ...soFar, outcome: "unknown", output };
}

type Runnable = Extract<CallPlan, { kind: "run" }>;

async function run(
  deps: TurnDeps,
  context: ToolContext,
  { tool, call, bits }: Runnable,
): Promise<{ result: Returned } | undefined> {
  const { conversation, turn, callId, signal } = context;
  const isUnsafe = tool.class === "unsafe";
  const claim = isUnsafe ? await call.claim(context) : undefined;
  const sent = { conversation, turn, callId, tool: tool.name, ...(claim !== undefined && { claim }) };
  // an unsafe call is on disk before it acts: a claim without a result is an outcome nobody knows
  const durable = isUnsafe || bits !== undefined;
  await deps.log.append([{ type: "tool.sent", ...sent, ...(bits !== undefined && { bits }) }], { durable });
  if (bits !== undefined) await untilFullSecond(deps, signal);
  const timeoutSeconds = longestSeconds(deps, context);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutSeconds * 1000);
  const either = AbortSignal.any([signal, late.signal]);
  const result = await untilHardStop(deps, either, runTool(call, { ...context, signal: either }));
  clearTimeout(timer);
  if (late.signal.aborted && !signal.aborted) return { result: tooLate(result, isUnsafe, timeoutSeconds) };
  const mayRunAgain = result === "gone" || (result.outcome === "failed" && tool.class === "read");
  if (signal.reason === "shutdown" && mayRunAgain) return undefined;
  if (result === "gone") return { result: { outcome: isUnsafe ? "unknown" : "stopped", output: stoppedWords } };
  const outcome = signal.aborted && result.outcome === "failed" ? "stopped" : result.outcome;
  return { result: { ...result, outcome } };
}

/** Commands of a group may take as long as the group says, and that they took longer is told by the command itself. */
function longestSeconds({ settings }: TurnDeps, { group }: ToolContext): number {
  const inGroup = group ? group.options.sandbox.timeoutSeconds + endSeconds : 0;
  return Math.max(settings.tools.timeoutSeconds, inGroup);
}

/** What came in time is taken; what did not is said to be too late, and of an unsafe call nobody knows how far it came. */
function tooLate(result: ToolResult | "gone", isUnsafe: boolean, seconds: number): Returned {
  const words = `It was stopped because it took longer than ${seconds} s, the limit of tools.timeoutSeconds.`;
  if (result === "gone") return { outcome: isUnsafe ? "unknown" : "failed", output: words };
  return result.outcome === "done" ? result : { ...result, output: `${result.output}\n${words}`.trim() };
}

// the moment of an act tells as much as the seconds can be told apart
async function untilFullSecond(deps: TurnDeps, signal: AbortSignal): Promise<void> {
  const rest = tellingGridMs - (deps.world.nowMs() % tellingGridMs);
  // who is stopped meanwhile finds that out by itself
  await sleep(rest, undefined, { signal }).catch(() => undefined);
}

async function runTool(call: BoundCall, context: ToolContext): Promise<ToolResult> {
  try {
    return await call.run(context);
  } catch (cause) {
    // a tool should answer with a failed result; one that throws must not take the turn with it
    return { outcome: "failed", output: `The tool broke: ${reasonOf(cause)}` };
  }
}

async function untilHardStop(
  deps: TurnDeps,
  signal: AbortSignal,
  running: Promise<ToolResult>,
): Promise<ToolResult | "gone"> {
  let timer: NodeJS.Timeout | undefined;
  const { promise: hardStop, resolve } = Promise.withResolvers<"gone">();
  const giveUp = () => {
    timer = setTimeout(resolve, deps.hardStopAfterMs, "gone");
  };
  if (signal.aborted) giveUp();
  else signal.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([running, hardStop]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}
