import type { AttachmentRef } from "../../contract/attachment.ts";
import type { PersonItem, ToolItem } from "../../contract/conversation/conversation.ts";
import { runWords } from "../../contract/conversation/task-words.ts";
import { count, formatBytes } from "../../contract/words/amounts.ts";
import { visibleLine } from "../visible-text.ts";

/** The latest progress while it runs; afterwards how wide a research was, or the first words of what went wrong. */
export function toolDetail(item: ToolItem): string | undefined {
  if (item.status === "running") return item.progress;
  if (item.status === "done")
    return item.tool === "research" ? /^\d+ pages? read\b/.exec(item.output ?? "")?.[0] : undefined;
  return item.status === "failed" || item.status === "unknown" ? item.output : undefined;
}

export function attachmentWords({ name, bytes }: AttachmentRef): string {
  return `${name} (${formatBytes(bytes)})`;
}

/** Who says it: the owner, somebody with a name, or a task whose time has come. */
export function speakerWords({ run, from }: PersonItem): string | undefined {
  return run ? runWords(run) : from;
}

/** What came along is long and nobody's words: how much of it there is, and how it begins. */
export function dataWords(data: string): string {
  return `with ${count(data.length, "character")}: ${visibleLine(data, 200)}`;
}
