import type { Followed } from "../../../src/contract/wire/client.ts";
import type { LiveSignal } from "../../../src/contract/wire/live-signal.ts";

type Step = { conversation: string; turn: string; step: number; text: string };

/** What is being written right now, so that a page that is opened in the middle of it sees its beginning too. */
export type StepsUnderWay = { take(followed: Followed): void; soFar(): readonly LiveSignal[] };

export function openStepsUnderWay(): StepsUnderWay {
  const steps = new Map<string, Step>();
  return {
    take(followed) {
      if (followed.type === "live.text") add(followed);
      else if (followed.type === "live.text_reset" || followed.type === "step.finished") steps.delete(followed.turn);
      else if (followed.type === "turn.finished") steps.delete(followed.turn);
    },
    soFar: () =>
      [...steps.values()].flatMap(({ text, ...place }): LiveSignal[] => [
        { type: "live.text_reset", ...place },
        { type: "live.text", ...place, delta: text },
      ]),
  };

  function add({ conversation, turn, step, delta }: Extract<LiveSignal, { type: "live.text" }>): void {
    const known = steps.get(turn);
    const before = known?.step === step ? known.text : "";
    steps.set(turn, { conversation, turn, step, text: before + delta });
  }
}
