import type { LiveSignal } from "../contract/live-signal.ts";

/** Carries what happens right now to whoever watches, and tells late comers what they missed of the step under way. */
export type LiveBus = {
  emit(signal: LiveSignal): void;
  /** The step is in the log now, or the turn is over: nothing of it is live any more. */
  settle(turn: string): void;
  subscribe(listener: (signal: LiveSignal) => void): () => void;
  /** What a newcomer must be shown to stand where the others stand. */
  soFar(): readonly LiveSignal[];
};

type Step = { conversation: string; turn: string; step: number; text: string };

export function openLiveBus(): LiveBus {
  const listeners = new Set<(signal: LiveSignal) => void>();
  const steps = new Map<string, Step>();
  return {
    emit(signal) {
      remember(signal);
      for (const listener of listeners) listener(signal);
    },
    settle: (turn) => steps.delete(turn),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    soFar: () =>
      [...steps.values()].flatMap(({ text, ...place }): LiveSignal[] => [
        { type: "live.text_reset", ...place },
        { type: "live.text", ...place, delta: text },
      ]),
  };

  function remember(signal: LiveSignal): void {
    if (signal.type === "live.text_reset") steps.delete(signal.turn);
    if (signal.type !== "live.text") return;
    const { conversation, turn, step, delta } = signal;
    const known = steps.get(turn);
    steps.set(turn, { conversation, turn, step, text: (known?.step === step ? known.text : "") + delta });
  }
}
