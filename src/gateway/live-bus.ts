import type { Event } from "../contract/event.ts";
import type { LiveSignal } from "../contract/wire/live-signal.ts";

export type LiveBus = ReturnType<typeof openLiveBus>;
type LiveText = Extract<LiveSignal, { type: "live.text" }>;
/** Words of a step under way; another one when they begin anew. */
export type LiveStep = { conversation: string; turn: string; step: number; text: string };

// with more listeners than this each piece is written so often that several are better sent as one
const manyListeners = 32;
const gatherMs = 25;

/** Carries what happens right now to whoever watches, and tells late comers what they missed of the step under way. */
export function openLiveBus() {
  const listeners = new Set<(signal: LiveSignal) => void>();
  const steps = new Map<string, LiveStep>();
  const gathered = new Map<string, LiveText>();
  let timer: NodeJS.Timeout | undefined;
  return {
    emit(signal: LiveSignal) {
      remember(signal);
      if (signal.type === "live.text" && listeners.size > manyListeners) return gather(signal);
      tellGathered();
      tell(signal);
    },
    settle,
    settleBy(events: readonly Event[]): void {
      for (const event of events)
        if (event.type === "step.finished" || event.type === "turn.finished") settle(event.turn);
    },
    subscribe(listener: (signal: LiveSignal) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** What a newcomer must be shown to stand where the others stand. */
    soFar(): readonly Readonly<LiveStep>[] {
      tellGathered();
      return [...steps.values()];
    },
  };

  /** The step is in the log now, or the turn is over: nothing of it is live any more. */
  function settle(turn: string): void {
    steps.delete(turn);
    gathered.delete(turn);
  }

  function remember(signal: LiveSignal): void {
    if (signal.type === "live.text_reset") steps.delete(signal.turn);
    if (signal.type !== "live.text") return;
    const { conversation, turn, step, delta } = signal;
    const known = steps.get(turn);
    if (known?.step === step) known.text += delta;
    else steps.set(turn, { conversation, turn, step, text: delta });
  }

  function gather(signal: LiveText): void {
    const waiting = gathered.get(signal.turn);
    const delta = waiting?.step === signal.step ? waiting.delta + signal.delta : signal.delta;
    gathered.set(signal.turn, { ...signal, delta });
    timer ??= setTimeout(tellGathered, gatherMs);
  }

  function tellGathered(): void {
    clearTimeout(timer);
    timer = undefined;
    const signals = [...gathered.values()];
    gathered.clear();
    for (const signal of signals) tell(signal);
  }

  function tell(signal: LiveSignal): void {
    for (const listener of listeners) listener(signal);
  }
}
