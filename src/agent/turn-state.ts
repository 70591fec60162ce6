// A turn is what its events say: the same fold serves the process that runs it and the one that takes it up after a crash.
import type { Event, EventOf } from "../contract/event.ts";
import type { ToolCall } from "../contract/model.ts";

export type CallState = {
  call: ToolCall;
  sent?: EventOf<"tool.sent">;
  asked?: EventOf<"approval.asked">;
  answered?: EventOf<"approval.answered">;
  returned?: EventOf<"tool.returned">;
};
export type StepState = { event: EventOf<"step.finished">; calls: readonly CallState[] };
export type TurnState = {
  steps: readonly StepState[];
  stopRequested: boolean;
  finished: boolean;
  /** What others can have learnt at most from calls that nobody was asked about. */
  toldBits: number;
  /** How often a new process has taken the turn up since it last got anywhere. */
  fruitlessResumes: number;
};

const nothingYet: TurnState = { steps: [], stopRequested: false, finished: false, toldBits: 0, fruitlessResumes: 0 };

export function foldTurn(events: readonly Event[]): TurnState {
  return events.reduce(applyToTurn, nothingYet);
}

export function applyToTurn(state: TurnState, event: Event): TurnState {
  switch (event.type) {
    case "step.finished": {
      const step = { event, calls: event.toolCalls.map((call) => ({ call })) };
      return { ...state, steps: [...state.steps, step], fruitlessResumes: 0 };
    }
    case "tool.sent":
      return { ...withCall(state, event.callId, { sent: event }), toldBits: state.toldBits + (event.bits ?? 0) };
    case "tool.returned":
      return { ...withCall(state, event.callId, { returned: event }), fruitlessResumes: 0 };
    case "approval.asked":
      return withCall(state, event.callId, { asked: event });
    case "approval.answered":
      return withCall(state, event.callId, { answered: event });
    case "turn.stop_requested":
      return { ...state, stopRequested: true };
    case "turn.resumed":
      return { ...state, fruitlessResumes: state.fruitlessResumes + 1 };
    case "turn.finished":
      return { ...state, finished: true };
    default:
      return state;
  }
}

/** The calls of the last step that have no result yet. */
export function openCalls(state: TurnState): readonly CallState[] {
  return state.steps.at(-1)?.calls.filter((call) => !call.returned) ?? [];
}

export function isUnanswered(call: CallState): boolean {
  return call.asked !== undefined && call.answered === undefined;
}

function withCall(state: TurnState, callId: string, change: Partial<CallState>): TurnState {
  const last = state.steps.at(-1);
  if (!last) return state;
  const calls = last.calls.map((call) => (call.call.callId === callId ? { ...call, ...change } : call));
  return { ...state, steps: [...state.steps.slice(0, -1), { ...last, calls }] };
}
