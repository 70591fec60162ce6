// The conversation on the screen: only what has changed is laid out again, so that long conversations stay quick.
import { type Component, Markdown, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import type { AnswerItem, ConversationItem } from "../../contract/conversation/conversation.ts";
import { taskHeading } from "../../contract/conversation/task-words.ts";
import { allItems, type ChatState } from "../chat/chat-state.ts";
import { attachmentWords } from "../chat/item-words.ts";
import { visibleItem } from "../chat/visible-item.ts";
import { earlierItems } from "../chat/welcome.ts";
import type { Palette } from "../palette.ts";
import { visibleLine } from "../visible-text.ts";
import { approvalLines, noticeLines, personLines, reasoningLines, toolLines } from "./item-lines.ts";
import { markdownTheme } from "./screen-theme.ts";

export type Transcript = Component & {
  show(state: ChatState): void;
  /** Shows or folds what the model thought before it answered. */
  toggleReasoning(): void;
};

type Block = { item: ConversationItem; waits: boolean; width: number; lines: string[] };

export function openTranscript(paint: Palette, opening: readonly string[]): Transcript {
  const theme = markdownTheme(paint);
  const blocks = new Map<string, Block>();
  const markdowns = new Map<string, Markdown>();
  // what was on the screen before this chat turned to another conversation stays above it
  let earlier: readonly ConversationItem[] = [];
  let hidden = new Set<string>();
  let current: ChatState | undefined;
  let unfolded = false;

  return {
    show(state) {
      if (current?.key !== state.key) {
        if (current) earlier = [...earlier, ...shownItems(current)];
        hidden = new Set(earlierItems(state).map((item) => item.id));
      }
      current = state;
    },
    toggleReasoning() {
      unfolded = !unfolded;
      blocks.clear();
    },
    render(width) {
      const lines = opening.map((line) => truncateToWidth(` ${line}`, width, "…"));
      let previous: ConversationItem | undefined;
      for (const item of itemsToShow()) {
        const own = linesOf(item, width);
        if (own.length === 0) continue;
        if (!standClose(previous, item)) lines.push("");
        lines.push(...own);
        previous = item;
      }
      return lines;
    },
    invalidate() {
      blocks.clear();
      markdowns.clear();
    },
  };

  function itemsToShow(): ConversationItem[] {
    if (!current) return [...earlier];
    const outgoing = current.outgoing.map(
      ({ key, text }): ConversationItem => ({
        kind: "person",
        id: `outgoing:${key}`,
        seq: 0,
        atMs: 0,
        text,
        from: undefined,
        attachments: [],
        turn: undefined,
      }),
    );
    return [...earlier, ...shownItems(current), ...outgoing];
  }

  function shownItems(state: ChatState): ConversationItem[] {
    return allItems(state).filter((item) => !hidden.has(item.id));
  }

  function linesOf(item: ConversationItem, width: number): string[] {
    const known = blocks.get(item.id);
    const waits = item.kind === "person" && item.turn === undefined && item.seq > 0 && current?.turn !== undefined;
    if (known && known.item === item && known.waits === waits && known.width === width) return known.lines;
    const lines = layOut(visibleItem(item), width, waits).map((line) =>
      visibleWidth(line) > width ? truncateToWidth(line, width, "") : line,
    );
    blocks.set(item.id, { item, waits, width, lines });
    return lines;
  }

  function layOut(item: ConversationItem, width: number, waits: boolean): string[] {
    switch (item.kind) {
      case "person":
        return personLines(item, width, paint, waits);
      case "answer":
        return answerLines(item, width);
      case "reasoning":
        return reasoningLines(item, width, paint, unfolded);
      case "tool":
        return toolLines(item, width, paint);
      case "approval":
        return approvalLines(item, width, paint);
      case "notice":
        return noticeLines(item, width, paint);
      case "cost":
        return [];
      default:
        return item satisfies never;
    }
  }

  function answerLines(item: AnswerItem, width: number): string[] {
    const markdown = markdowns.get(item.id) ?? new Markdown("", 1, 0, theme);
    markdowns.set(item.id, markdown);
    const files = item.attachments.map((attachment) => paint.faint(` ▪ ${attachmentWords(attachment)}`));
    const text = `${item.partial ? "… " : ""}${item.text.trim()}`;
    markdown.setText(text);
    const heading = item.task ? [paint.accent(` ${visibleLine(taskHeading(item.task, item.text), width - 2)}`)] : [];
    const lines = text === "" ? [] : markdown.render(width).map((line) => line.trimEnd());
    return [...heading, ...lines, ...files];
  }
}

// the calls of a step and the question about them belong together
function standClose(previous: ConversationItem | undefined, item: ConversationItem): boolean {
  if (previous?.kind !== "tool") return false;
  return item.kind === "tool" || (item.kind === "approval" && item.decision !== undefined);
}
