import type { AttachmentRef } from "../../contract/attachment.ts";
import type { ToolItem } from "../../contract/conversation/conversation.ts";
import { formatBytes } from "../../contract/words/amounts.ts";

/** The latest progress while it runs, the first words of what went wrong afterwards. */
export function toolDetail(item: ToolItem): string | undefined {
  if (item.status === "running") return item.progress;
  return item.status === "failed" || item.status === "unknown" ? item.output : undefined;
}

export function attachmentWords({ name, bytes }: AttachmentRef): string {
  return `${name} (${formatBytes(bytes)})`;
}
