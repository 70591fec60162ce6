// What a task is: its words, its times, its rules.
import { css, html, nothing, type TemplateResult } from "lit";
import type { PlannedTask } from "../../../../src/contract/wire/methods/tasks.ts";
import type { App } from "../../app/app.ts";
import { icon } from "../../style/icons.ts";
import { browserZone, deliveryWords, originLine, policyLines, whenWords, wordsOf } from "../task-words.ts";
import { formatMoment, formatNext } from "../time-words.ts";

export function taskFacts(app: App, task: PlannedTask, times: readonly number[]): TemplateResult {
  const policies = policyLines(task);
  const origin = originLine(task.labels);
  return html`<section class="card facts" aria-label="What it is">
    <dl>
      <dt>${task.action.kind === "say" ? "Says" : "Does"}</dt>
      <dd class="words">${wordsOf(task)}</dd>
      <dt>When</dt>
      <dd>${whenWords(task, browserZone, Date.now())}${times.length === 0 ? nothing : renderTimes(times, task.state === "paused")}</dd>
      <dt>Tells you</dt>
      <dd>${deliveryWords(task.deliverTo, (key) => nameOf(app, key))}${renderOrigin(app, task)}</dd>
      ${policies.length === 0 ? nothing : html`<dt>Rules</dt><dd>${policies.map((line) => html`<p>${line}</p>`)}</dd>`}
    </dl>
    ${origin ? html`<p class="origin">${icon("warning", 18)} <span>${origin}</span></p>` : nothing}
    <p class="made">Made ${formatMoment(task.madeAtMs, Date.now())}</p>
  </section>`;
}

function renderTimes(times: readonly number[], isPaused: boolean): TemplateResult {
  const now = Date.now();
  return html`<ol class="times ${isPaused ? "paused" : ""}" aria-label=${isPaused ? "Times it would have" : "Next times"}>
    ${times.map((at) => html`<li><time datetime=${new Date(at).toISOString()}>${formatNext(at, now)}</time></li>`)}
  </ol>`;
}

function renderOrigin(app: App, task: PlannedTask): TemplateResult | typeof nothing {
  const name = nameOf(app, task.madeIn);
  if (task.deliverTo !== "origin" || name === undefined) return nothing;
  return html` (<a href="/chat/${task.madeIn}">${name}</a>)`;
}

function nameOf(app: App, key: string): string | undefined {
  return app.sessions.value.find((session) => session.sessionKey === key)?.title;
}

export const factStyles = css`
  .facts { display: grid; gap: var(--space-3); }
  .facts dl { display: grid; grid-template-columns: minmax(72px, max-content) minmax(0, 1fr); gap: var(--space-3) var(--space-4); font-size: var(--text-s); }
  .facts dt { color: var(--ink-faint); }
  .facts dd { overflow-wrap: anywhere; }
  .facts .words { font-size: var(--text-m); white-space: pre-wrap; }
  .times { margin-top: var(--space-1); padding: 0; list-style: none; color: var(--ink-soft); font-variant-numeric: tabular-nums; }
  .times li:first-child { color: var(--ink); font-weight: 550; }
  .times.paused li { color: var(--ink-faint); font-weight: 400; text-decoration: line-through; }
  .origin { display: flex; gap: var(--space-2); padding: var(--space-2) var(--space-3); font-size: var(--text-s); color: var(--warning); background: var(--warning-soft); border-radius: var(--radius-m); overflow-wrap: anywhere; }
  .made { font-size: var(--text-xs); color: var(--ink-faint); }
  @media (max-width: 520px) {
    .facts dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
    .facts dd { margin-bottom: var(--space-3); }
  }
`;
