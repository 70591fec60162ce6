// How one item of the conversation looks on the screen. Every line fits the width it is asked for.
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type {
  ApprovalItem,
  NoticeItem,
  PersonItem,
  ReasoningItem,
  ToolItem,
  ToolStatus,
} from "../../contract/conversation/conversation.ts";
import { decisionWords } from "../../contract/conversation/notice-words.ts";
import type { ApprovalDecision } from "../../contract/event.ts";
import { formatDuration } from "../../contract/words/amounts.ts";
import { toolSummary } from "../../contract/words/tool-summary.ts";
import { attachmentWords, toolDetail } from "../chat/item-words.ts";
import type { Palette } from "../palette.ts";
import { visibleLine } from "../visible-text.ts";

export function personLines(item: PersonItem, width: number, paint: Palette, waits: boolean): string[] {
  const name = item.from === undefined ? "" : `${item.from} `;
  const files = item.attachments.map((attachment) => paint.faint(`▪ ${attachmentWords(attachment)}`));
  const note = waits ? [paint.faint("waits for its turn")] : [];
  return hang(`${name}› `, [item.text, ...files, ...note].join("\n"), width, (mark) =>
    paint.accent(paint.strong(mark)),
  );
}

export function reasoningLines(item: ReasoningItem, width: number, paint: Palette, unfolded: boolean): string[] {
  if (unfolded) return hang("∴ ", item.text.trim(), width, paint.faint).map(paint.faint);
  if (!item.streaming) return [cut(paint.faint(" ∴ Thought about it"), width)];
  const latest = visibleLine(item.text.slice(-400))
    .slice(-Math.max(0, width - 14))
    .trimStart();
  return [cut(paint.faint(` ∴ Thinking  ${latest}`), width)];
}

export function toolLines(item: ToolItem, width: number, paint: Palette): string[] {
  // its question stands right below and says all of it
  if (item.status === "waiting") return [];
  const { mark, word } = toolLook(item.status, paint);
  const time = item.durationMs === undefined || item.durationMs < 100 ? "" : formatDuration(item.durationMs);
  const tail = [word, time].filter(Boolean).join(" ");
  const end = tail === "" ? "" : paint.faint(`  ${tail}`);
  const head = ` ${mark} ${paint.strong(item.tool)} ${toolSummary(item.arguments)}`.trimEnd();
  const line = truncateToWidth(head, Math.max(8, width - visibleWidth(end) - 1), "…") + end;
  const detail = toolDetail(item);
  if (detail === undefined) return [cut(line, width)];
  const tone = item.status === "failed" ? paint.bad : paint.faint;
  return [cut(line, width), cut(`   ${tone(detail)}`, width)];
}

function toolLook(status: ToolStatus, paint: Palette): { mark: string; word: string } {
  switch (status) {
    case "called":
      return { mark: paint.faint("○"), word: "" };
    case "running":
      return { mark: paint.accent("●"), word: "" };
    case "waiting":
      return { mark: paint.warning("?"), word: "waits" };
    case "done":
      return { mark: paint.good("✓"), word: "" };
    case "failed":
      return { mark: paint.bad("✗"), word: "failed" };
    case "denied":
      return { mark: paint.warning("–"), word: "denied" };
    case "stopped":
      return { mark: paint.warning("–"), word: "stopped" };
    case "unknown":
      return { mark: paint.warning("?"), word: "outcome unknown" };
    default:
      return status satisfies never;
  }
}

/** An open question is shown whole, however long: what is allowed is what was read. */
export function approvalLines(item: ApprovalItem, width: number, paint: Palette): string[] {
  if (item.decision !== undefined) return decidedLines(item, item.decision, width, paint);
  const { tool, display, reason } = item.approval;
  return [
    ...hang("? ", paint.strong(`${tool} asks before it does this`), width, paint.warning),
    ...hang("  ", display, width, paint.warning),
    ...hang("  ", paint.faint(reason), width, paint.warning),
    ...hang(
      "  ",
      `Answer ${paint.accent("y")}, ${paint.accent("a")} (always this exact call) or ${paint.accent("n")}, or write why not`,
      width,
      paint.warning,
    ),
  ];
}

// the line of the call itself says what became of it; only what it cannot say is added
function decidedLines(item: ApprovalItem, decision: ApprovalDecision, width: number, paint: Palette): string[] {
  if (decision === "approved" || (decision === "denied" && item.because === undefined)) return [];
  return hang("  ", paint.faint(item.because ?? decisionWords(decision, undefined)), width, paint.faint);
}

export function noticeLines(item: NoticeItem, width: number, paint: Palette): string[] {
  switch (item.tone) {
    case "quiet":
      return hang("· ", paint.faint(item.text), width, paint.faint);
    case "text":
      return hang("  ", item.text, width, paint.faint);
    case "warning":
      return hang("! ", item.text, width, paint.warning);
    case "error":
      return hang("✗ ", item.text, width, paint.bad);
    default:
      return item.tone satisfies never;
  }
}

/** A mark in front of the first line, the others indented under it, and one column free at each side. */
function hang(mark: string, text: string, width: number, paintMark: (mark: string) => string): string[] {
  const indent = " ".repeat(visibleWidth(mark));
  const room = Math.max(4, width - visibleWidth(mark) - 2);
  const lines = text.split("\n").flatMap((line) => wrapTextWithAnsi(line.replaceAll("\t", "    "), room));
  return lines.map((line, index) => cut(` ${index === 0 ? paintMark(mark) : indent}${line}`, width).trimEnd());
}

function cut(line: string, width: number): string {
  return visibleWidth(line) <= width ? line : truncateToWidth(line, width, "…");
}
