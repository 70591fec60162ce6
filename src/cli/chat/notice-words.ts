import type { AttachmentRef } from "../../contract/attachment.ts";
import type { EventOf, TurnEnding } from "../../contract/event.ts";
import type { LiveSignal } from "../../contract/live-signal.ts";
import { byteWords, durationWords } from "../amounts.ts";
import { visibleLine, visibleText } from "../visible-text.ts";
import type { Tone } from "./view-item.ts";

export function endingWords(ending: TurnEnding, detail: string | undefined): { tone: Tone; text: string } | undefined {
  const told = detail === undefined || detail === "" ? undefined : visibleText(detail);
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
      return { tone: "error", text: told ?? "No model answered. Look at /model, or run: steward doctor" };
    case "budget":
      return { tone: "warning", text: told ?? "Ended because the budget is spent." };
    case "failed":
      return { tone: "error", text: told ?? "The turn failed. The log in the Steward folder has the details." };
    default:
      return ending satisfies never;
  }
}

export function retryWords(signal: Extract<LiveSignal, { type: "live.retry" }>): string {
  const reason = visibleLine(signal.reason, 160).replace(/\.$/, "");
  return `${visibleLine(signal.model, 80)}: ${reason}. Trying again in ${durationWords(signal.delayMs)} (try ${signal.attempt + 1}).`;
}

export function compactionWords(event: EventOf<"conversation.compacted">): string {
  return `Older messages were summarised: the model now sees ${event.messagesAfter} instead of ${event.messagesBefore}.`;
}

export function attachmentWords(attachment: AttachmentRef): string {
  return `${visibleLine(attachment.name, 120)} (${byteWords(attachment.bytes)})`;
}
