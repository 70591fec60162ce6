import type { TaskRun } from "../../../../src/contract/wire/methods/tasks.ts";
import { formatDuration, formatUsd } from "../../../../src/contract/words/amounts.ts";
import { deliveryWords } from "../task-words.ts";

// less than this is no delay that anybody would notice
const lateMs = 60_000;

const causes: Readonly<Record<string, string>> = {
  webhook: "Begun by a webhook.",
  file: "Begun by a change of the file.",
  mail: "Begun by a mail.",
  command: "Begun by a command that ended.",
  task: "Begun by the other task.",
  asked: "Run by hand.",
};

/** "12 s · $0.0031" */
export function figuresOf({ beganAtMs, finishedAtMs, costUsd, turn }: TaskRun): string {
  const took = turn === undefined || finishedAtMs === undefined ? "" : formatDuration(finishedAtMs - beganAtMs);
  return [took, costUsd > 0 ? formatUsd(costUsd) : ""].filter(Boolean).join(" · ");
}

/** What became of a run, and what is worth knowing of how it came. */
export function becameWords(run: TaskRun, deliverTo: string, nameOf: (key: string) => string | undefined): string {
  const parts = [causes[run.cause] ?? "", timesWords(run), lateWords(run), settledWords(run, deliverTo, nameOf)];
  return parts.filter(Boolean).join(" ");
}

function timesWords({ state, times }: TaskRun): string {
  if (state === "missed") return times === 1 ? "Steward was off." : `Steward was off for ${times} times in a row.`;
  if (state === "skipped") {
    const often = times === 1 ? "" : ` ${times} times`;
    return `Left out${often}: the run before was still under way.`;
  }
  return times > 1 ? `It stands for ${times} times that had passed.` : "";
}

function lateWords({ state, cause, dueAtMs, beganAtMs }: TaskRun): string {
  const late = beganAtMs - dueAtMs;
  const isRun = state !== "missed" && state !== "skipped";
  return isRun && cause === "schedule" && late > lateMs ? `Begun ${formatDuration(late)} late.` : "";
}

function settledWords(
  { state, settled }: TaskRun,
  deliverTo: string,
  nameOf: (key: string) => string | undefined,
): string {
  if (state === "missed" || state === "skipped") return "";
  switch (settled) {
    case "delivered":
      return deliverTo === "none" ? "Told." : `Told ${deliveryWords(deliverTo, nameOf)}.`;
    case "quiet":
      return "Nothing to tell.";
    case "repeated":
      return "The same words as before, so they were not told again.";
    case "kept":
      return state === "done" ? "Kept here." : "";
    case "retried":
      return "It is tried again.";
    default:
      return "";
  }
}
