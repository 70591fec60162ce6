// The border to the terminal: nothing in an item that comes from here may move the cursor or pass for our own words.
import type { AttachmentRef } from "../../contract/attachment.ts";
import type { ConversationItem } from "../../contract/conversation/conversation.ts";
import type { OpenApproval } from "../../contract/wire/method.ts";
import { spellOut } from "../../contract/words/spell-out.ts";
import { visibleLine, visibleText } from "../visible-text.ts";

export function visibleItem<Item extends ConversationItem>(item: Item): Item;
export function visibleItem(item: ConversationItem): ConversationItem {
  switch (item.kind) {
    case "person":
      return {
        ...item,
        text: visibleText(item.text),
        from: optionalLine(item.from, 40),
        data: item.data === undefined ? undefined : visibleText(item.data),
        attachments: visibleNames(item.attachments),
      };
    case "answer":
      return { ...item, text: visibleText(item.text), attachments: visibleNames(item.attachments) };
    case "reasoning":
    case "notice":
      return { ...item, text: visibleText(item.text) };
    case "tool":
      return {
        ...item,
        tool: visibleLine(item.tool, 60),
        progress: optionalLine(item.progress, 200),
        output: optionalLine(item.output, 300),
      };
    case "approval":
      return { ...item, approval: visibleApproval(item.approval), because: optionalLine(item.because, 200) };
    case "cost":
      return item;
    default:
      return item satisfies never;
  }
}

/** Whole, however long: what is allowed is what was read. */
export function visibleApproval(approval: OpenApproval): OpenApproval {
  return {
    ...approval,
    tool: visibleLine(approval.tool, 60),
    display: spellOut(approval.display),
    reason: spellOut(approval.reason),
  };
}

function optionalLine(text: string | undefined, maxLength: number): string | undefined {
  return (text !== undefined && visibleLine(text, maxLength)) || undefined;
}

function visibleNames(attachments: readonly AttachmentRef[]): AttachmentRef[] {
  return attachments.map((attachment) => ({ ...attachment, name: visibleLine(attachment.name, 120) }));
}
