import type { AttachmentRef } from "../../contract/attachment.ts";
import type { EventOf } from "../../contract/event.ts";
import type { LiveSignal } from "../../contract/live-signal.ts";
import { byteWords, durationWords } from "../amounts.ts";
import { visibleLine } from "../visible-text.ts";

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
