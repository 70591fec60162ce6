import type { AttachmentRef } from "../../contract/attachment.ts";
import type { ToolItem } from "../../contract/conversation/conversation.ts";
import { formatBytes } from "../../contract/words/amounts.ts";

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
