import { css, html, nothing, type TemplateResult } from "lit";
import type { Conversation } from "../../../src/contract/conversation/conversation.ts";
import { shortModel } from "../../../src/contract/conversation/notice-words.ts";
import { spendingWords } from "../../../src/contract/conversation/spending.ts";
import { visibleLine } from "../../../src/contract/words/visible-line.ts";
import { channelMark } from "../style/channel-mark.ts";

export type ModelSize = { name: string; contextTokens: number };

const nearlyFull = 0.8;

/** How much of what the model can hold is used, from 0 to 1; undefined when that is not known. */
function contextShare(conversation: Conversation, models: readonly ModelSize[]): number | undefined {
  const { contextTokens, lastModel } = conversation;
  const size = models.find(({ name }) => name === lastModel)?.contextTokens;
  return contextTokens === undefined || !size ? undefined : Math.min(1, contextTokens / size);
}

export function pageHeader(title: string, conversation: Conversation, models: readonly ModelSize[]): TemplateResult {
  const { lastModel, spending } = conversation;
  const words = [...(lastModel ? [shortModel(lastModel)] : []), ...spendingWords(spending)];
  return html`<header>
    <h1 title=${title}>${channelMark(conversation.key)}${visibleLine(title, 120)}</h1>
    <p>${words.map((word) => html`<span>${word}</span>`)}${contextHint(contextShare(conversation, models))}</p>
  </header>`;
}

function contextHint(share: number | undefined): TemplateResult | typeof nothing {
  if (share === undefined) return nothing;
  const percent = `${Math.max(1, Math.round(share * 100))} %`;
  if (share < nearlyFull)
    return html`<span title="How much of what the model can hold is used">context ${percent} full</span>`;
  return html`<span class="full" title="Earlier messages are summarised when it is full">context ${percent} full</span>`;
}

export const headerStyles = css`
  header {
    display: flex; align-items: baseline; gap: var(--space-4); padding: var(--space-3) var(--space-5);
    border-bottom: 1px solid var(--line);
  }
  header h1 { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: var(--text-m); }
  header .mark { position: relative; margin-inline-end: var(--space-2); color: var(--ink-faint); }
  header .mark svg { vertical-align: -2px; }
  header p { display: flex; flex: none; font-size: var(--text-xs); color: var(--ink-faint); font-variant-numeric: tabular-nums; white-space: nowrap; }
  header p > span + span::before { content: "·"; margin: 0 var(--space-2); }
  header .full { color: var(--warning); }
  @media (max-width: 720px) {
    header { display: grid; gap: 0; padding: var(--space-2) var(--space-4); }
    header p { min-height: 18px; overflow: hidden; }
    header p > span:last-child:not(:first-child, .full) { display: none; }
  }
`;
