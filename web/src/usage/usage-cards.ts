import { html, nothing, type TemplateResult } from "lit";
import { costWords } from "../../../src/contract/conversation/spending.ts";
import type { UsageRow } from "../../../src/contract/wire/method.ts";
import { formatDuration, formatTokens } from "../../../src/contract/words/amounts.ts";
import { lastDays } from "../../../src/contract/words/calendar.ts";
import { rowsOn } from "./usage-days.ts";
import { averageMs, type Figures, sumUp } from "./usage-figures.ts";

const spans = [
  { name: "Today", days: 1 },
  { name: "7 days", days: 7 },
  { name: "30 days", days: 30 },
] as const;

export function renderFigures(rows: readonly UsageRow[], today: string): TemplateResult {
  const month = sumUp(rowsOn(rows, lastDays(today, 30)));
  return html`<div class="figures">
      ${spans.map((span) => renderCard(span.name, sumUp(rowsOn(rows, lastDays(today, span.days)))))}
    </div>
    ${month.unpriced > 0 ? html`<p class="unpriced">${unpricedWords(month)}</p>` : nothing}`;
}

/** Says what the cost leaves out, so that nobody takes it for the whole. */
function unpricedWords(figures: Figures): TemplateResult {
  const answers = figures.unpriced === 1 ? "one answer" : `${figures.unpriced} answers`;
  return html`The real cost is higher: for ${answers} of the last 30 days the price of the model is not known. You can
    <a href="/settings/models">add its price</a>.`;
}

function renderCard(name: string, figures: Figures): TemplateResult {
  const average = averageMs(figures);
  return html`<section class="card figure">
    <h2>${name}</h2>
    <p class="cost">${costWords(figures.costUsd, figures.unpriced)}</p>
    <dl>
      <dt>Tokens</dt>
      <dd>${formatTokens(figures.inputTokens)} read, ${formatTokens(figures.outputTokens)} written</dd>
      <dt>Answers</dt>
      <dd>${figures.calls.toLocaleString("en-US")}</dd>
      <dt>Time each</dt>
      <dd>${average === undefined ? "–" : formatDuration(average)}</dd>
    </dl>
  </section>`;
}
