// What a conversation is told about its processes, as incoming messages.
import { channelOf } from "../../contract/conversation-key.ts";
import type { IncomingMessage } from "../../contract/incoming-message.ts";
import { type LostProcess, processSender } from "./lost-processes.ts";
import type { FinishedProcess } from "./process-registry.ts";
import { describeEnd, describeTime, shortCommand } from "./process-words.ts";

/** Nothing where the conversation itself has ended the process and has been told so. */
export function finishedMessage(
  finished: FinishedProcess,
  redact: (text: string) => string,
): IncomingMessage | undefined {
  const { id, command, end, outputTail, labels } = finished;
  if (end.killedByConversation) return undefined;
  const first = `[Steward: ${id} (${shortCommand(command)}) has ended after ${describeTime(end.durationMs)}: ${describeEnd(end)}.`;
  // a message carries no labels: words that need some are fetched by the tool, which gives them
  const rest =
    labels.length > 0
      ? ` See process output, id ${id}.]`
      : ` The end of its output:]\n${outputTail.trimEnd() || "(none)"}`;
  return messageOf(finished, redact(first + rest));
}

export function lostMessage(lost: LostProcess): IncomingMessage {
  return messageOf(
    lost,
    `[Steward was restarted; ${lost.id} (${lost.command}) was ended by that. Its output is gone, and how far it came is not known.]`,
  );
}

function messageOf(
  process: Pick<LostProcess, "conversation" | "turn" | "callId" | "id">,
  text: string,
): IncomingMessage {
  const { conversation } = process;
  const sender = processSender(process);
  return { conversation, channel: channelOf(conversation), sender, text, attachments: [], idempotencyKey: sender.id };
}
