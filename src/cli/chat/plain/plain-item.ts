import type { AttachmentRef } from "../../../contract/attachment.ts";
import type { AnswerItem, ConversationItem, ToolItem } from "../../../contract/conversation/conversation.ts";
import { decisionWords } from "../../../contract/conversation/notice-words.ts";
import { toolSummary } from "../../../contract/words/tool-summary.ts";
import { attachmentWords, toolDetail } from "../item-words.ts";
import { visibleItem } from "../visible-item.ts";

/** An item in plain words, ended by a newline when the line is complete; as the item goes on, its text only grows. */
export function plainItem(shown: ConversationItem): string {
  const item = visibleItem(shown);
  switch (item.kind) {
    case "answer":
      return answerText(item);
    case "notice":
      return `${item.text}\n`;
    case "person":
      return `${item.from ?? "you"}: ${[item.text, ...item.attachments.map(fileWords)].join("\n")}\n`;
    case "tool":
      return toolText(item);
    case "approval":
      return item.decision === undefined
        ? ""
        : `[${item.approval.tool}] ${decisionWords(item.decision, item.because)}\n`;
    case "reasoning":
    case "cost":
      return "";
    default:
      return item satisfies never;
  }
}

function answerText(item: AnswerItem): string {
  const text = `${item.partial ? "…" : ""}${item.text}`;
  if (item.streaming) return text;
  const complete = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return complete + item.attachments.map((attachment) => `${fileWords(attachment)}\n`).join("");
}

function toolText(item: ToolItem): string {
  if (item.status === "called" || item.status === "waiting") return "";
  const name = `[${item.tool}]`;
  const line = `${name} ${toolSummary(item.arguments)}`.trimEnd();
  const detail = toolDetail(item);
  if (item.status === "running" || (item.status === "done" && detail === undefined)) return `${line}\n`;
  const outcome = item.status === "unknown" ? "outcome unknown" : item.status;
  return `${line}\n${name} ${outcome}${detail ? `: ${detail}` : ""}\n`;
}

function fileWords(attachment: AttachmentRef): string {
  return `[file] ${attachmentWords(attachment)}`;
}
