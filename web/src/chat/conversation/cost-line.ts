import { css, html, nothing, type TemplateResult } from "lit";
import { formatDuration, formatTokens } from "../../../../src/contract/words/amounts.ts";
import { icon } from "../../style/icons.ts";
import type { ChatActions } from "../chat-actions.ts";
import "./copy-button.ts";
import type { CostItem } from "../../../../src/contract/conversation/conversation.ts";
import { shortModel } from "../../../../src/contract/conversation/notice-words.ts";
import { spendingWords } from "../../../../src/contract/conversation/spending.ts";

/** "1.2k tokens · $0.0031 · 8 s · claude-sonnet-4-5": only what is known and worth a word. */
function costWords(item: CostItem): string {
  if (!item.whole) return "";
  const took = item.durationMs >= 100 ? formatDuration(item.durationMs) : "";
  return [...spendingWords(item.spending), took, item.models.map(shortModel).join(", ")].filter(Boolean).join(" · ");
}

export function costLine(item: CostItem, actions: ChatActions, canAskAgain: boolean): TemplateResult {
  const { inputTokens, outputTokens } = item.spending;
  const read = `${formatTokens(inputTokens)} read, ${formatTokens(outputTokens)} written`;
  return html`<div class="cost">
    <steward-copy-button label="Copy answer" .text=${() => actions.answerText(item.turn)}></steward-copy-button>
    ${
      canAskAgain
        ? html`<button class="quiet icon" aria-label="Ask again" title="Ask again" @click=${() => actions.askAgain(item.turn)}>
            ${icon("retry", 15)}
          </button>`
        : nothing
    }
    <span title=${inputTokens + outputTokens > 0 ? read : ""}>${costWords(item)}</span>
  </div>`;
}

export const costStyles = css`
  .cost { color: var(--ink-faint); display: flex; align-items: center; gap: var(--space-1); min-height: 30px; margin-inline-start: -6px; }
  .cost span { margin-inline-start: var(--space-1); font-size: var(--text-xs); color: var(--ink-faint); font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
  .cost button { width: 30px; min-height: 30px; color: var(--ink-faint); }
  @media (hover: none) { .cost button { width: 44px; min-height: 44px; } }
`;
