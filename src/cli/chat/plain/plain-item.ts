import type { AttachmentRef } from "../../../contract/attachment.ts";
import type {
  AnswerItem,
  ConversationItem,
  PersonItem,
  ToolItem,
} from "../../../contract/conversation/conversation.ts";
import { decisionWords } from "../../../contract/conversation/notice-words.ts";
import { taskHeading } from "../../../contract/conversation/task-words.ts";
import { toolSummary } from "../../../contract/words/tool-summary.ts";
import { attachmentWords, dataWords, speakerWords, toolDetail } from "../item-words.ts";
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
      return personText(item);
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

function personText(item: PersonItem): string {
  const data = item.data === undefined ? [] : [`[${dataWords(item.data)}]`];
  return `${speakerWords(item) ?? "you"}: ${[item.text, ...item.attachments.map(fileWords), ...data].join("\n")}\n`;
}

function answerText(item: AnswerItem): string {
  const heading = item.task ? `${taskHeading(item.task, item.text)}\n` : "";
  const text = `${heading}${item.partial ? "…" : ""}${item.text}`;
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
