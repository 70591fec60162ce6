import type { Event } from "../../../../src/contract/event.ts";
import type { FileChange } from "../../../../src/contract/file-change.ts";
import type { ModelCall } from "../../../../src/contract/model.ts";
import type { TaskDefinition } from "../../../../src/contract/task/task.ts";
import { formatBytes, formatDuration, formatTokens, formatUsd } from "../../../../src/contract/words/amounts.ts";
import { withoutCheck } from "../../inbox/approval-words.ts";
import { formatDateTime } from "../../words.ts";
import { originWords, outcomeNames, plural } from "../activity-line.ts";

/** One labelled part of the whole story of an event; `well` is shown as it is, in a box of its own. */
export type EventDetail = { label: string; text: string; as: "words" | "well" };

export function detailsOf(event: Event, given: unknown): EventDetail[] {
  return [...partsOf(event, given), words("When", formatDateTime(event.atMs))];
}

function partsOf(event: Event, given: unknown): EventDetail[] {
  switch (event.type) {
    case "message.received":
    case "message.refused":
    case "reply.written":
      return [
        well("Words", event.text),
        ...("data" in event && event.data ? [well("What came with it", event.data)] : []),
        ...("attachments" in event ? filesOf(event.attachments) : []),
      ];
    case "task.made":
      return partsOfTask(event.definition);
    case "task.changed":
      return event.definition ? partsOfTask(event.definition) : [];
    case "heartbeat.noted":
      return [well("Words", event.text)];
    case "tool.sent":
      return argumentsOf(given);
    case "tool.returned":
      return partsOfReturn(event, given);
    case "approval.asked":
      return [
        well("What it wants to do", withoutCheck(event)),
        words("Why it asks", event.reason),
        words("Where its words come from", originWords(event.labels) ?? ""),
        words("Counts as no from", formatDateTime(event.expiresAtMs)),
      ].filter(hasText);
    case "step.finished":
      return partsOfStep(event);
    case "model.called":
      return partsOfModelCall(event).filter(hasText);
    case "conversation.compacted":
      return [well("Summary", event.summary)].filter(hasText);
    case "changes.undone":
      return [well("What was done", event.output)].filter(hasText);
    case "turn.finished":
      return [words("Why", event.detail ?? "")].filter(hasText);
    default:
      return [];
  }
}

function partsOfTask({ action, until, deliverTo }: TaskDefinition): EventDetail[] {
  return [
    well(action.kind === "say" ? "What it says" : "What it does", action.kind === "say" ? action.text : action.prompt),
    words("Ends when", until ?? ""),
    words("Tells", deliverTo),
  ].filter(hasText);
}

function partsOfReturn(event: Extract<Event, { type: "tool.returned" }>, given: unknown): EventDetail[] {
  return [
    ...argumentsOf(given),
    well("Result", event.output),
    words("Files", event.changes.map(changeWords).join("\n")),
    words("Where words in it come from", event.labels.join(", ")),
    ...filesOf(event.attachments),
    words("Outcome", outcomeNames[event.outcome]),
    words("Time", event.durationMs === undefined ? "" : formatDuration(event.durationMs)),
  ].filter(hasText);
}

function partsOfStep(event: Extract<Event, { type: "step.finished" }>): EventDetail[] {
  return [
    well("Thoughts", event.reasoning ?? ""),
    well("Words", event.text),
    ...event.toolCalls.map((call) => well(call.tool, formatArguments(call.arguments ?? call.malformed))),
    ...partsOfModelCall(event),
  ].filter(hasText);
}

function partsOfModelCall({ model, usage, costUsd, durationMs }: ModelCall): EventDetail[] {
  const { inputTokens, outputTokens, cacheReadTokens } = usage;
  const cached = cacheReadTokens > 0 ? ` (${formatTokens(cacheReadTokens)} from the cache)` : "";
  return [
    words("Model", model),
    words("Tokens", `${formatTokens(inputTokens)} read${cached}, ${formatTokens(outputTokens)} written`),
    words("Cost", costUsd === undefined ? "not known" : formatUsd(costUsd)),
    words("Time", durationMs === undefined ? "" : formatDuration(durationMs)),
  ];
}

function argumentsOf(given: unknown): EventDetail[] {
  return given === undefined ? [] : [well("What it was told", formatArguments(given))].filter(hasText);
}

/** `name: value` a line; long texts stand under their name. */
function formatArguments(given: unknown): string {
  if (typeof given === "string") return given;
  if (typeof given !== "object" || given === null || Array.isArray(given)) return JSON.stringify(given, null, 2) ?? "";
  return Object.entries(given)
    .map(([name, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
      return text.includes("\n") ? `${name}:\n${text}` : `${name}: ${text}`;
    })
    .join("\n");
}

function changeWords(change: FileChange): string {
  const what = change.before === null ? "new" : change.after === null ? "deleted" : "changed";
  return `${change.path} (${what}${change.notKept ? ", too large to take back" : ""})`;
}

function filesOf(attachments: readonly { name: string; bytes: number }[]): EventDetail[] {
  if (attachments.length === 0) return [];
  const names = attachments.map((file) => `${file.name} (${formatBytes(file.bytes)})`).join("\n");
  return [words(plural(attachments.length, "file"), names)];
}

function words(label: string, text: string): EventDetail {
  return { label, text, as: "words" };
}

function well(label: string, text: string): EventDetail {
  return { label, text, as: "well" };
}

function hasText(detail: EventDetail): boolean {
  return detail.text.trim() !== "";
}
