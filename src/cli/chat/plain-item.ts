import { decisionWords } from "./approval-words.ts";
import type { AssistantItem, ToolItem, ViewItem } from "./view-item.ts";

/** An item in plain words, ended by a newline when the line is complete; as the item goes on, its text only grows. */
export function plainItem(item: ViewItem): string {
  switch (item.kind) {
    case "assistant":
      return assistantText(item);
    case "reasoning":
      return "";
    case "notice":
      return `${item.text}\n`;
    case "user":
      return item.mine ? "" : `${item.from ?? "you"}: ${[item.text, ...item.attachments.map(fileWords)].join("\n")}\n`;
    case "tool":
      return toolText(item);
    case "approval":
      return item.decision === undefined ? "" : `[${item.tool}] ${decisionWords(item, item.decision)}\n`;
    default:
      return item satisfies never;
  }
}

function assistantText(item: AssistantItem): string {
  const text = `${item.partial ? "…" : ""}${item.text}`;
  if (item.streaming) return text;
  const complete = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return complete + item.attachments.map((attachment) => `${fileWords(attachment)}\n`).join("");
}

function toolText(item: ToolItem): string {
  if (item.status === "called" || item.status === "waiting") return "";
  const name = `[${item.tool}]`;
  const line = `${name} ${item.summary}`.trimEnd();
  if (item.status === "running" || item.status === "done") return `${line}\n`;
  const outcome = item.status === "unknown" ? "outcome unknown" : item.status;
  return `${line}\n${name} ${outcome}${item.detail ? `: ${item.detail}` : ""}\n`;
}

function fileWords(attachment: string): string {
  return `[file] ${attachment}`;
}
