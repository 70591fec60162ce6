import { html, nothing, type TemplateResult } from "lit";
import { costWords } from "../../../src/contract/conversation/spending.ts";
import type { UsageRow } from "../../../src/contract/wire/method.ts";
import { formatDuration, formatTokens } from "../../../src/contract/words/amounts.ts";
import { taskOf } from "../words.ts";
import { heartbeatKey, tidyKey } from "./background-usage.ts";
import { averageMs, type Share, shareBy } from "./usage-figures.ts";

const mostConversations = 20;

type Names = { model(model: string): string; conversation(sessionKey: string): string | undefined };

export function renderShares(rows: readonly UsageRow[], names: Names): TemplateResult {
  const conversations = shareBy(rows, "sessionKey");
  const left = conversations.length - mostConversations;
  return html`<div class="shares">
    <section>
      <h2>By model</h2>
      ${renderTable("Model", shareBy(rows, "model"), (share) => html`${names.model(share.name)}`)}
    </section>
    <section>
      <h2>By conversation</h2>
      ${renderTable("Conversation", conversations.slice(0, mostConversations), (share) => renderConversation(share, names))}
      ${left > 0 ? html`<p class="muted small">and ${left} more that cost less</p>` : nothing}
    </section>
  </div>`;
}

function renderConversation(share: Share, names: Names): TemplateResult {
  const name = names.conversation(share.name);
  const task = taskOf(share.name);
  if (share.name === heartbeatKey) return html`Heartbeat`;
  if (share.name === tidyKey) return html`Nightly look through the notes`;
  if (task !== undefined) return html`<a href="/tasks/${task}">${name ?? "A task"}</a>`;
  return name === undefined
    ? html`<span class="muted">A deleted conversation</span>`
    : html`<a href="/chat/${share.name}">${name}</a>`;
}

function renderTable(
  heading: string,
  shares: readonly Share[],
  name: (share: Share) => TemplateResult,
): TemplateResult {
  return html`<div class="card" tabindex="0" role="group" aria-label=${`By ${heading.toLowerCase()}`}>
    <table class="plain">
      <thead>
        <tr>
          <th scope="col">${heading}</th>
          <th scope="col" class="number">Cost</th>
          <th scope="col" class="number wide-only">Read</th>
          <th scope="col" class="number wide-only">Written</th>
          <th scope="col" class="number">Answers</th>
          <th scope="col" class="number">Time each</th>
        </tr>
      </thead>
      <tbody>
        ${shares.map((share) => renderShare(share, name(share)))}
      </tbody>
    </table>
  </div>`;
}

function renderShare(share: Share, name: TemplateResult): TemplateResult {
  const { figures } = share;
  const average = averageMs(figures);
  return html`<tr>
    <th scope="row">${name}</th>
    <td class="number">${costWords(figures.costUsd, figures.unpriced)}</td>
    <td class="number wide-only">${formatTokens(figures.inputTokens)}</td>
    <td class="number wide-only">${formatTokens(figures.outputTokens)}</td>
    <td class="number">${figures.calls.toLocaleString("en-US")}</td>
    <td class="number">${average === undefined ? "–" : formatDuration(average)}</td>
  </tr>`;
}
