// One tool call: bound to the tool's schema, judged by the guard, claimed, run, and its outcome put into words.
import type { NewEvent, Sender, ToolOutcome } from "../contract/event.ts";
import type { BoundCall, Tool, ToolContext, ToolResult } from "../contract/tool.ts";
import { cutMiddle } from "./cut-middle.ts";
import type { TurnDeps } from "./turn-deps.ts";
import type { CallState } from "./turn-state.ts";

const maxOutputLength = 60_000;

export type CallPlace = { turn: string; conversation: string; asker: Sender; signal: AbortSignal };

/** What is to be done about a call, decided before anything of its step runs. */
export type CallPlan =
  | { kind: "answer"; outcome: ToolOutcome; output: string }
  | { kind: "ask"; event: NewEvent }
  | { kind: "wait" }
  | { kind: "run"; tool: Tool; call: BoundCall }
  | { kind: "recover"; tool: Tool; call: BoundCall; claim: unknown };

export async function planCall(deps: TurnDeps, place: CallPlace, state: CallState): Promise<CallPlan> {
  const { tool: name, malformed } = state.call;
  const tool = deps.tools.find((candidate) => candidate.name === name);
  // the model invents names and shapes; telling it so lets it correct itself
  if (!tool)
    return failed(`There is no tool called ${name}. There are: ${deps.tools.map((known) => known.name).join(", ")}.`);
  if (malformed !== undefined)
    return failed(`The arguments of ${name} were not valid JSON: ${cutMiddle(malformed, 500)}`);
  const bound = tool.bind(state.call.arguments);
  if (!bound.ok) return failed(`The arguments of ${name} do not fit: ${bound.message}`);
  const { call } = bound;
  if (state.sent) {
    return tool.class === "unsafe"
      ? { kind: "recover", tool, call, claim: state.sent.claim }
      : { kind: "run", tool, call };
  }
  return state.asked ? planAnswered(deps, place, state, tool, call) : planFresh(deps, place, state, tool, call);
}

async function planFresh(
  deps: TurnDeps,
  place: CallPlace,
  state: CallState,
  tool: Tool,
  call: BoundCall,
): Promise<CallPlan> {
  const guarded = { tool, call, workspace: deps.workspace, asker: place.asker };
  const decision = await deps.guard.decide(guarded);
  switch (decision.verdict) {
    case "allow":
      return { kind: "run", tool, call };
    case "deny":
      return { kind: "answer", outcome: "denied", output: `Not done: ${decision.reason}` };
    case "ask":
      return {
        kind: "ask",
        event: {
          type: "approval.asked",
          conversation: place.conversation,
          turn: place.turn,
          approvalId: deps.world.newId("ask"),
          callId: state.call.callId,
          tool: tool.name,
          arguments: call.arguments,
          binding: await deps.guard.bindingOf(guarded),
          display: call.approvalText,
          rule: decision.rule,
          reason: decision.reason,
          expiresAtMs: deps.world.nowMs() + deps.settings.approvals.expireAfterHours * 3_600_000,
        },
      };
    default:
      return decision satisfies never;
  }
}

async function planAnswered(
  deps: TurnDeps,
  place: CallPlace,
  state: CallState,
  tool: Tool,
  call: BoundCall,
): Promise<CallPlan> {
  const { asked, answered } = state;
  if (!asked || !answered) return { kind: "wait" };
  if (answered.decision !== "approved") {
    const because = answered.reason ? ` ${answered.reason}` : "";
    return { kind: "answer", outcome: "denied", output: `Not done: ${refusalWords[answered.decision]}.${because}` };
  }
  const binding = await deps.guard.bindingOf({ tool, call, workspace: deps.workspace, asker: place.asker });
  if (binding !== asked.binding) {
    return {
      kind: "answer",
      outcome: "denied",
      output: "Not done: what was approved is no longer what would run. Ask again.",
    };
  }
  return { kind: "run", tool, call };
}

const refusalWords = {
  denied: "the owner said no",
  expired: "nobody answered in time",
  withdrawn: "the owner wrote something else instead of answering",
} as const;

/** Runs the call, or finds out what became of an earlier run; resolves with what the log should say. */
export async function performCall(
  deps: TurnDeps,
  place: CallPlace,
  state: CallState,
  plan: CallPlan,
): Promise<NewEvent | undefined> {
  const startedMs = deps.world.nowMs();
  const at = { conversation: place.conversation, turn: place.turn };
  const { callId, tool } = state.call;
  const returned = async (
    outcome: ToolOutcome,
    output: string,
    attachments: ToolResult["attachments"] = [],
  ): Promise<NewEvent> => ({
    type: "tool.returned",
    ...at,
    callId,
    tool,
    outcome,
    output: cutMiddle(deps.redact(output), maxOutputLength),
    attachments: await Promise.all(attachments.map((attachment) => deps.attachments.add(attachment))),
    durationMs: deps.world.nowMs() - startedMs,
  });
  const context: ToolContext = {
    ...at,
    callId,
    workspace: deps.workspace,
    signal: place.signal,
    progress: (text) => deps.live({ type: "live.tool_progress", ...at, callId, tool, text: deps.redact(text) }),
  };
  switch (plan.kind) {
    case "ask":
    case "wait":
      return undefined;
    case "answer":
      return returned(plan.outcome, plan.output);
    case "recover": {
      const recovery = await plan.call.recover(context, plan.claim);
      if (recovery.kind === "finished")
        return returned(recovery.result.outcome, recovery.result.output, recovery.result.attachments);
      if (recovery.kind === "unknown") return returned("unknown", unknownWords);
      return run(plan.tool, plan.call);
    }
    case "run":
      return run(plan.tool, plan.call);
    default:
      return plan satisfies never;
  }

  async function run(boundTool: Tool, call: BoundCall): Promise<NewEvent | undefined> {
    const unsafe = boundTool.class === "unsafe";
    const claim = unsafe ? await call.claim(context) : undefined;
    // an unsafe call is on disk before it acts: a claim without a result is an outcome nobody knows
    await deps.log.append([{ type: "tool.sent", ...at, callId, tool, ...(claim !== undefined && { claim }) }], {
      durable: unsafe,
    });
    const result = await untilHardStop(deps, place.signal, runTool(call, context));
    if (result === "gone")
      return place.signal.reason === "shutdown" ? undefined : returned(unsafe ? "unknown" : "stopped", stoppedWords);
    const outcome = place.signal.aborted && result.outcome === "failed" ? "stopped" : result.outcome;
    return returned(outcome, result.output, result.attachments);
  }
}

const unknownWords =
  "Steward was cut off while this ran, so it is not known whether it was done. It was not repeated. Check before trying again.";
const stoppedWords = "Stopped before it had finished.";

async function runTool(call: BoundCall, context: ToolContext): Promise<ToolResult> {
  try {
    return await call.run(context);
  } catch (cause) {
    // a tool should answer with a failed result; one that throws must not take the turn with it
    return { outcome: "failed", output: `The tool broke: ${cause instanceof Error ? cause.message : String(cause)}` };
  }
}

async function untilHardStop(
  deps: TurnDeps,
  signal: AbortSignal,
  running: Promise<ToolResult>,
): Promise<ToolResult | "gone"> {
  let timer: NodeJS.Timeout | undefined;
  let giveUp: () => void = () => undefined;
  const hardStop = new Promise<"gone">((resolve) => {
    giveUp = () => {
      timer = setTimeout(() => resolve("gone"), deps.hardStopAfterMs);
    };
  });
  if (signal.aborted) giveUp();
  else signal.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([running, hardStop]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}

function failed(output: string): CallPlan {
  return { kind: "answer", outcome: "failed", output };
}
