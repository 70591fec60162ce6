import { css, html, nothing, type TemplateResult } from "lit";
import type { PlannedTask } from "../../../../src/contract/wire/methods/tasks.ts";
import { type IconName, icon } from "../../style/icons.ts";
import { browserZone, lastWords, type Standing, standingOf, whenWords } from "../task-words.ts";
import { formatMoment, formatUntil } from "../time-words.ts";

/** One task on the list; the whole row leads to it. */
export function taskRow(task: PlannedTask, nowMs: number): TemplateResult {
  const standing = standingOf(task);
  const last = lastWords(task);
  return html`<div class="task ${task.state === "active" ? "" : "resting"}">
    ${icon(taskIcon(task), 20)}
    <div class="what">
      <p class="name"><a href="/tasks/${encodeURIComponent(task.id)}">${task.title}</a>${standing ? chip(standing) : nothing}</p>
      <p class="when">${whenWords(task, browserZone, nowMs)}</p>
      ${last ? html`<p class="last ${task.lastRun?.state === "failed" ? "danger-text" : ""}">${last}</p>` : nothing}
    </div>
    ${task.state === "active" && task.nextAtMs !== undefined ? nextTime(task.nextAtMs, nowMs) : nothing}
  </div>`;
}

export function chip({ text, tone, icon: name }: Standing): TemplateResult {
  return html`<span class="chip ${tone}">${name ? icon(name, 13) : nothing} ${text}</span>`;
}

function taskIcon({ trigger, action }: Pick<PlannedTask, "trigger" | "action">): IconName {
  switch (trigger.kind) {
    case "webhook":
      return "link";
    case "file":
      return "file";
    case "mail":
      return "envelope";
    case "command":
      return "terminal";
    case "task":
      return "tasks";
    default:
      return action.kind === "say" ? "bell" : "clock";
  }
}

function nextTime(atMs: number, nowMs: number): TemplateResult {
  const until = formatUntil(atMs, nowMs);
  return html`<p class="next">
    <time datetime=${new Date(atMs).toISOString()}>${formatMoment(atMs, nowMs)}</time>
    ${until === "tomorrow" ? nothing : html`<span>${until}</span>`}
  </p>`;
}

export const rowStyles = css`
  .task { position: relative; display: grid; grid-template-columns: 20px minmax(0, 1fr) auto; gap: var(--space-1) var(--space-3); align-items: start; padding: var(--space-3) var(--space-4); transition: background-color var(--quick); }
  .task:hover { background: color-mix(in oklab, var(--ink) 4%, transparent); }
  .task > svg { margin-top: 2px; color: var(--accent); }
  .task.resting > svg { color: var(--ink-faint); }
  .name { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-1) var(--space-2); }
  .name a { font-weight: 550; color: var(--ink); text-decoration: none; overflow-wrap: anywhere; }
  .name a::after { content: ""; position: absolute; inset: 0; }
  .name a:focus-visible { outline: none; }
  .name a:focus-visible::after { outline: 2px solid var(--accent); outline-offset: -2px; border-radius: var(--radius-m); }
  .resting .name a { color: var(--ink-soft); }
  .when { font-size: var(--text-s); color: var(--ink-soft); overflow-wrap: anywhere; }
  .last { font-size: var(--text-s); color: var(--ink-faint); display: -webkit-box; -webkit-line-clamp: 1; -webkit-box-orient: vertical; overflow: hidden; overflow-wrap: anywhere; }
  .next { display: grid; justify-items: end; font-size: var(--text-s); font-variant-numeric: tabular-nums; white-space: nowrap; }
  .next span { color: var(--ink-faint); }
  @media (max-width: 600px) {
    .task { grid-template-columns: 20px minmax(0, 1fr); }
    .next { grid-column: 2; display: flex; flex-wrap: wrap; gap: 0 var(--space-2); justify-content: start; }
  }
`;
