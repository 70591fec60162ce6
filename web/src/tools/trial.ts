// A tool that is being tried, folded from the events of its own conversation.

import type { ToolOutcome } from "../../../src/contract/event.ts";
import type { Followed } from "../../../src/contract/wire/client.ts";

export type Trial = {
  state: "running" | "asks" | ToolOutcome;
  /** What it says while it runs. */
  progress: string;
  output: string;
  durationMs: number | undefined;
  changedFiles: number;
  question: { approvalId: string; display: string; reason: string } | undefined;
};

const startedTrial: Trial = {
  state: "running",
  progress: "",
  output: "",
  durationMs: undefined,
  changedFiles: 0,
  question: undefined,
};

export function isOver(trial: Trial): boolean {
  return trial.state !== "running" && trial.state !== "asks";
}

function foldTrial(trial: Trial, followed: Followed): Trial {
  switch (followed.type) {
    case "live.tool_progress":
      return { ...trial, progress: followed.text };
    case "approval.asked": {
      const { approvalId, display, reason } = followed;
      return { ...trial, state: "asks", question: { approvalId, display, reason } };
    }
    case "approval.answered":
      return { ...trial, state: "running", question: undefined };
    case "tool.returned":
      return {
        ...trial,
        state: followed.outcome,
        output: followed.output,
        durationMs: followed.durationMs,
        changedFiles: followed.changes.length,
        question: undefined,
      };
    case "turn.finished":
      // an end without a result is one that the tool never saw
      return isOver(trial)
        ? trial
        : { ...trial, state: "failed", output: followed.detail ?? "It ended without a result." };
    default:
      return trial;
  }
}

/** Collects what is followed from now on, so that nothing is missed before the conversation's key is known. */
export function openTrial(
  follow: (listener: (followed: Followed) => void) => () => void,
  changed: (trial: Trial) => void,
): { began(start: { sessionKey: string; seq: number }): void; close(): void } {
  const early: Followed[] = [];
  let start: { sessionKey: string; seq: number } | undefined;
  let trial = startedTrial;
  const unfollow = follow((followed) => {
    if (start === undefined) early.push(followed);
    else take(followed);
  });
  return {
    began(place) {
      start = place;
      for (const followed of early.splice(0)) take(followed);
      changed(trial);
    },
    close: unfollow,
  };

  function take(followed: Followed): void {
    if (followed.conversation !== start?.sessionKey) return;
    // every trial of a tool is in the same conversation: what belongs to an earlier one is not ours
    if ("seq" in followed && followed.seq < start.seq) return;
    trial = foldTrial(trial, followed);
    changed(trial);
  }
}
