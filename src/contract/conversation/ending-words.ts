import type { TurnEnding } from "../event.ts";

export type EndingWords = { tone: "quiet" | "warning" | "error"; text: string };

/** What a person is told of a turn that did not simply end with an answer; what is known of the reason goes first. */
export function endingWords(ending: TurnEnding, reason: string | undefined): EndingWords | undefined {
  const told = reason === undefined || reason.trim() === "" ? undefined : reason;
  switch (ending) {
    case "answered":
      return undefined;
    case "stopped":
      return { tone: "quiet", text: "Stopped." };
    case "step_limit":
      return { tone: "warning", text: told ?? "Ended at the step limit. Say “go on” to let it continue." };
    case "no_progress":
      return { tone: "warning", text: told ?? "Ended because the same call kept giving the same result." };
    case "unavailable":
      return { tone: "error", text: told ?? "No model answered. Choose another one, or look at the settings." };
    case "budget":
      return { tone: "warning", text: told ?? "Ended because the budget is spent." };
    case "failed":
      return { tone: "error", text: told ?? "The turn failed. The log in the Steward folder has the details." };
    default:
      return ending satisfies never;
  }
}
