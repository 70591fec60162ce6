// What is to be done about a call: bound to the tool's schema and judged by the guard before anything of its step runs.
import { join } from "node:path";
import type { NewEvent, ToolOutcome } from "../../contract/event.ts";
import type { Sender } from "../../contract/sender.ts";
import { isBackground } from "../../contract/task/task.ts";
import type { Asked, BoundCall, Tool } from "../../contract/tool.ts";
import { spellOutQuestion } from "../../contract/words/spell-out.ts";
import type { GuardedCall } from "../../guard/judgement.ts";
import type { ToldSoFar } from "../../guard/told-bits.ts";
import { cutMiddle } from "../../tools/outputs/cut-long-output.ts";
import type { TurnDeps } from "../turn-deps.ts";
import type { CallState } from "../turn-state.ts";

export type CallPlace = {
  turn: string;
  conversation: string;
  asker: Sender;
  /** Where untrusted text in the conversation came from. */
  labels: readonly string[];
  /** What the owner has written in it. */
  trustedText: string;
  told: ToldSoFar;
  signal: AbortSignal;
};

export type CallPlan =
  | { kind: "answer"; outcome: ToolOutcome; output: string }
  | { kind: "ask"; event: NewEvent }
  | { kind: "wait" }
  | { kind: "run"; tool: Tool; call: BoundCall; bits?: number }
  /** `anew`: what is to be done about it if it turns out that it never began. */
  | { kind: "recover"; tool: Tool; call: BoundCall; claim: unknown; anew(): Promise<CallPlan> };

export async function planCall(deps: TurnDeps, place: CallPlace, state: CallState): Promise<CallPlan> {
  const { tool: name, malformed } = state.call;
  const tool = deps.tools.find((candidate) => candidate.name === name);
  // the model invents names and shapes; telling it so lets it correct itself
  if (!tool && deps.group && deps.withheld?.includes(name))
    return denied(`${name} belongs to the owner's own conversations and cannot be used in a group.`);
  if (!tool)
    return failed(`There is no tool called ${name}. There are: ${deps.tools.map((known) => known.name).join(", ")}.`);
  if (malformed !== undefined)
    return failed(`The arguments of ${name} were not valid JSON: ${cutMiddle(malformed, 500)}`);
  const bound = tool.bind(state.call.arguments);
  if (!bound.ok) return failed(`The arguments of ${name} do not fit: ${bound.message}`);
  const { call } = bound;
  const judged = { state, tool, call };
  const anew = () => (state.asked ? planAnswered(deps, place, judged) : planFresh(deps, place, judged));
  if (!state.sent) return anew();
  return tool.class === "unsafe"
    ? { kind: "recover", tool, call, claim: state.sent.claim, anew }
    : { kind: "run", tool, call };
}

type Judged = { state: CallState; tool: Tool; call: BoundCall };

async function planFresh(deps: TurnDeps, place: CallPlace, { state, tool, call }: Judged): Promise<CallPlan> {
  const guarded = guardedCall(deps, place, tool, call);
  const decision = await deps.guard.decide(guarded);
  switch (decision.verdict) {
    case "allow":
      return { kind: "run", tool, call, ...(decision.bits !== undefined && { bits: decision.bits }) };
    case "deny":
      return denied(decision.reason);
    case "ask": {
      const asked = askedOf(deps, place, state);
      const idle = await call.idleBecause(asked);
      if (idle !== undefined) return { kind: "answer", outcome: "done", output: idle };
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
          display: spellOutQuestion(await questionOf(call, asked)),
          ...(call.command !== undefined && { workingDir: join(deps.workspace, call.folder) }),
          rule: decision.rule,
          reason: spellOutQuestion(decision.reason),
          ...(decision.lasting === true && { eachTime: true }),
          labels: [...place.labels],
          expiresAtMs: deps.world.nowMs() + expiryMs(deps, place.conversation),
        },
      };
    }
    default:
      return decision satisfies never;
  }
}

/** Nobody sits before a run of its own: what it asks may wait longer. */
function expiryMs({ settings }: TurnDeps, conversation: string): number {
  const { expireAfterHours, backgroundExpireAfterHours } = settings.approvals;
  return (isBackground(conversation) ? backgroundExpireAfterHours : expireAfterHours) * 3_600_000;
}

function askedOf({ workspace, extraDirs, group }: TurnDeps, place: CallPlace, { call }: CallState): Asked {
  const { asker, conversation, turn } = place;
  return { workspace, ...extraDirs, asker, conversation, group, turn, callId: call.callId };
}

async function questionOf(call: BoundCall, asked: Asked): Promise<string> {
  const { group } = asked;
  const question = (await call.preview(asked)) ?? call.approvalText;
  return group ? `${question}\n(asked for in the group ${group.name})` : question;
}

async function planAnswered(deps: TurnDeps, place: CallPlace, { state, tool, call }: Judged): Promise<CallPlan> {
  const { asked, answered } = state;
  if (!asked || !answered) return { kind: "wait" };
  if (answered.decision !== "approved") {
    const because = answered.reason ? ` ${answered.reason}` : "";
    return denied(`${refusalWords[answered.decision]}.${because}`);
  }
  const binding = await deps.guard.bindingOf(guardedCall(deps, place, tool, call));
  if (binding !== asked.binding) return denied("what was approved is no longer what would run. Ask again.");
  return { kind: "run", tool, call };
}

function guardedCall(deps: TurnDeps, place: CallPlace, tool: Tool, call: BoundCall): GuardedCall {
  const { asker, labels, trustedText, told } = place;
  const inGroup = deps.group !== undefined;
  return { tool, call, workspace: deps.workspace, asker, inGroup, labels, trustedText, told };
}

const refusalWords = {
  denied: "the owner said no",
  expired: "nobody answered in time",
  withdrawn: "the owner wrote something else instead of answering",
} as const;

function denied(why: string): CallPlan {
  return { kind: "answer", outcome: "denied", output: `Not done: ${why}` };
}

function failed(output: string): CallPlan {
  return { kind: "answer", outcome: "failed", output };
}
