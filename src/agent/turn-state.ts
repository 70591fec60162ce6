// A turn is what its events say: the same fold serves the process that runs it and the one that takes it up after a crash.
import type { Event, EventOf, EventType } from "../contract/event.ts";
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
  /** The last moment of it that others could see or that a person chose; how long ago that is the model has chosen. */
  seenAtMs: number;
  /** A process is at work on it, or died while it was. */
  isUnderWay: boolean;
  /** How many processes have died at work on it since it last got anywhere. */
  cutOffs: number;
  /** What of the memory was laid beside its message. */
  recalled?: EventOf<"memory.recalled">;
};

const nothingYet: TurnState = {
  ...{ steps: [], stopRequested: false, finished: false },
  ...{ toldBits: 0, seenAtMs: 0, isUnderWay: false, cutOffs: 0 },
};

export function foldTurn(events: readonly Event[]): TurnState {
  return events.reduce(applyToTurn, nothingYet);
}

export function applyToTurn(before: TurnState, event: Event): TurnState {
  const seenAtMs = isSeen(event) ? event.atMs : before.seenAtMs;
  const state = { ...before, seenAtMs, ...(isProgress(event) && { cutOffs: 0 }) };
  switch (event.type) {
    case "turn.started":
      return { ...state, isUnderWay: true };
    case "turn.resumed":
      return { ...state, isUnderWay: true, cutOffs: state.cutOffs + (state.isUnderWay ? 1 : 0) };
    case "turn.interrupted":
    case "turn.waiting":
      return { ...state, isUnderWay: false };
    case "step.finished": {
      const step = { event, calls: event.toolCalls.map((call) => ({ call })) };
      return { ...state, steps: [...state.steps, step] };
    }
    case "memory.recalled":
      return { ...state, recalled: event };
    case "tool.sent":
      return { ...withCall(state, event.callId, { sent: event }), toldBits: addBits(state.toldBits, event.bits ?? 0) };
    case "tool.returned":
      return withCall(state, event.callId, { returned: event });
    case "approval.asked":
      return withCall(state, event.callId, { asked: event });
    case "approval.answered":
      return { ...withCall(state, event.callId, { answered: event }), isUnderWay: true };
    case "turn.stop_requested":
      return { ...state, stopRequested: true };
    case "turn.finished":
      return { ...state, finished: true };
    default:
      return state;
  }
}

/** In tenths: adding up must not leave fractions that nobody meant. */
export function addBits(before: number, bits: number): number {
  return Math.round((before + bits) * 10) / 10;
}

function isSeen(event: Event): boolean {
  if (event.type === "tool.sent") return event.bits !== undefined;
  return event.type === "turn.started" || event.type === "turn.steered" || event.type === "approval.answered";
}

/** A claim is none: what has been claimed may be what kills the process. */
export function isProgress({ type }: Event): boolean {
  return progress.has(type);
}

const progress: ReadonlySet<string> = new Set<EventType>([
  ...([
    "step.finished",
    "tool.returned",
    "approval.asked",
    "approval.answered",
    "turn.waiting",
    "turn.finished",
  ] as const),
]);

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
