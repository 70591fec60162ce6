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
import { count, formatDuration } from "../../contract/words/amounts.ts";
import { questionLines } from "../../contract/words/question-lines.ts";
import { toolSummary } from "../../contract/words/tool-summary.ts";
import { attachmentWords, dataWords, speakerWords, toolDetail } from "../chat/item-words.ts";
import type { Palette } from "../palette.ts";
import { visibleLine } from "../visible-text.ts";

export function personLines(item: PersonItem, width: number, paint: Palette, waits: boolean): string[] {
  const speaker = speakerWords(item);
  const name = speaker === undefined || item.run ? "" : `${speaker} `;
  const heading = item.run && speaker ? [paint.faint(speaker)] : [];
  const files = item.attachments.map((attachment) => paint.faint(`▪ ${attachmentWords(attachment)}`));
  if (item.data !== undefined) files.push(paint.faint(`▪ ${dataWords(item.data)}`));
  const note = waits ? [paint.faint("waits for its turn")] : [];
  return hang(`${name}› `, [...heading, item.text, ...files, ...note].join("\n"), width, (mark) =>
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
  const [mark, tone, word] = toolLooks[item.status];
  const time = item.durationMs === undefined || item.durationMs < 100 ? "" : formatDuration(item.durationMs);
  const tail = [word, time].filter(Boolean).join(" ");
  const end = tail === "" ? "" : paint.faint(`  ${tail}`);
  const head = ` ${paint[tone](mark)} ${paint.strong(item.tool)} ${toolSummary(item.arguments)}`.trimEnd();
  const line = truncateToWidth(head, Math.max(8, width - visibleWidth(end) - 1), "…") + end;
  const detail = toolDetail(item);
  if (detail === undefined) return [cut(line, width)];
  const paintDetail = item.status === "failed" ? paint.bad : paint.faint;
  return [cut(line, width), cut(`   ${paintDetail(detail)}`, width)];
}

const toolLooks: Readonly<Record<ToolStatus, readonly [mark: string, tone: keyof Palette, word: string]>> = {
  called: ["○", "faint", ""],
  running: ["●", "accent", ""],
  waiting: ["?", "warning", "waits"],
  done: ["✓", "good", ""],
  failed: ["✗", "bad", "failed"],
  denied: ["–", "warning", "denied"],
  stopped: ["–", "warning", "stopped"],
  unknown: ["?", "warning", "outcome unknown"],
};

// what fits no window of a usual height beside the question itself
const longQuestion = 18;

/** An open question is shown whole, however long: what is allowed is what was read. */
export function approvalLines(item: ApprovalItem, width: number, paint: Palette): string[] {
  if (item.decision !== undefined) return decidedLines(item, item.decision, width, paint);
  const { tool, display, reason, eachTime } = item.approval;
  const lines = hang("? ", display, width, paint.warning).length;
  const [yes, always, no] = ["y", "a", "n"].map(paint.accent);
  const question = [
    paint.strong(`${tool} asks before it does this`),
    questionLines(item.approval)
      .map(({ text, change }) => (change ? paint[change === "goes" ? "bad" : "good"](text) : text))
      .join("\n"),
    paint.faint(reason),
    ...(lines > longQuestion
      ? [paint.warning(`It has ${count(lines, "line")}: scroll up to read it from the top`)]
      : []),
    `Answer ${yes}${eachTime ? "" : `, ${always} (always this exact call)`} or ${no}, or write why not`,
  ];
  return hang("? ", question.join("\n"), width, paint.warning);
}

// the line of the call itself says what became of it; only what it cannot say is added
function decidedLines(item: ApprovalItem, decision: ApprovalDecision, width: number, paint: Palette): string[] {
  if (decision === "approved" || (decision === "denied" && item.because === undefined)) return [];
  return hang("  ", paint.faint(item.because ?? decisionWords(decision, undefined)), width, paint.faint);
}

const noticeLooks: Readonly<Record<NoticeItem["tone"], readonly [mark: string, tone: keyof Palette]>> = {
  quiet: ["· ", "faint"],
  text: ["  ", "faint"],
  warning: ["! ", "warning"],
  error: ["✗ ", "bad"],
};

export function noticeLines(item: NoticeItem, width: number, paint: Palette): string[] {
  const [mark, tone] = noticeLooks[item.tone];
  return hang(mark, item.tone === "quiet" ? paint.faint(item.text) : item.text, width, paint[tone]);
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
