import type { TurnEnding } from "../event.ts";

export type EndingWords = { tone: "quiet" | "warning" | "error"; text: string };

const usual: Readonly<Record<Exclude<TurnEnding, "answered">, EndingWords>> = {
  stopped: { tone: "quiet", text: "Stopped." },
  step_limit: { tone: "warning", text: "Ended at the step limit. Say “go on” to let it continue." },
  no_progress: { tone: "warning", text: "Ended because the same call kept giving the same result." },
  unavailable: { tone: "error", text: "No model answered. Choose another one, or look at the settings." },
  refused: { tone: "warning", text: "The model would not answer this. Say it differently, or choose another one." },
  budget: { tone: "warning", text: "Ended because the budget is spent." },
  failed: { tone: "error", text: "The turn failed. The log in the Steward folder has the details." },
};

/** What a person is told of a turn that did not simply end with an answer; what is known of the reason goes first. */
export function endingWords(ending: TurnEnding, reason = ""): EndingWords | undefined {
  if (ending === "answered") return undefined;
  return ending === "stopped" || reason.trim() === "" ? usual[ending] : { ...usual[ending], text: reason };
}
