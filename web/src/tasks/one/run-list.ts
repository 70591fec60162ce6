// The runs of a task, newest first, each with what became of it.
import { css, html, nothing, type TemplateResult } from "lit";
import type { PlannedTask, TaskRun } from "../../../../src/contract/wire/methods/tasks.ts";
import type { App } from "../../app/app.ts";
import "../../chat/markdown/prose.ts";
import { icon } from "../../style/icons.ts";
import { chip } from "../list/task-row.ts";
import { firstLine, runStanding } from "../task-words.ts";
import { formatMoment } from "../time-words.ts";
import { becameWords, figuresOf } from "./run-words.ts";
import "./run-stream.ts";

export type RunListDeps = {
  app: App;
  task: PlannedTask;
  /** Whether the reader has unfolded what this run did. */
  isOpen(run: string): boolean;
  toggle(run: string, isOpen: boolean): void;
};

export function runList(deps: RunListDeps, runs: readonly TaskRun[]): TemplateResult {
  // the newest answer is read, the older ones are looked up
  const newest = runs.find((run) => hasAnswer(deps, run))?.id;
  return html`<ol class="runs">
    ${runs.map((run) => html`<li class="card">${renderRun(deps, run, run.id === newest)}</li>`)}
  </ol>`;
}

function renderRun(deps: RunListDeps, run: TaskRun, isNewest: boolean): TemplateResult {
  const figures = figuresOf(run);
  return html`<div class="head">
      ${chip(runStanding(run.state))}
      <time datetime=${new Date(run.dueAtMs).toISOString()}>${formatMoment(run.dueAtMs, Date.now())}</time>
      <span class="figures">${figures}</span>
    </div>
    ${run.error ? html`<p class="problem">${run.error}</p>` : nothing}
    ${hasAnswer(deps, run) ? renderAnswer(run, isNewest) : nothing}
    <p class="became">${becameWords(run, deps.task.deliverTo, (key) => nameOf(deps.app, key))}</p>
    ${run.turn === undefined ? nothing : renderSteps(deps, run)}`;
}

// a reminder says its own words, which stand above already
function hasAnswer({ task }: RunListDeps, run: TaskRun): boolean {
  return task.action.kind === "do" && (run.answer ?? "").trim() !== "";
}

function renderAnswer({ answer = "" }: TaskRun, isNewest: boolean): TemplateResult {
  const prose = html`<steward-prose .text=${answer}></steward-prose>`;
  if (isNewest) return prose;
  return html`<details class="older">
    <summary>${firstLine(answer) ?? "Its answer"}</summary>
    ${prose}
  </details>`;
}

function renderSteps({ app, task, isOpen, toggle }: RunListDeps, run: TaskRun): TemplateResult {
  const toggled = (event: Event) => toggle(run.id, (event.target as HTMLDetailsElement).open);
  return html`<details class="steps" @toggle=${toggled}>
    <summary>${icon("chevron", 14)} What it did</summary>
    ${
      isOpen(run.id)
        ? html`<steward-run-stream .app=${app} .sessionKey=${task.sessionKey} .turn=${run.turn}></steward-run-stream>`
        : nothing
    }
  </details>`;
}

function nameOf(app: App, key: string): string | undefined {
  return app.sessions.value.find((session) => session.sessionKey === key)?.title;
}

export const runStyles = css`
  .runs { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-3); padding: 0; list-style: none; }
  .runs > li { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2); padding: var(--space-3) var(--space-4); }
  .head { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-1) var(--space-3); font-size: var(--text-s); }
  .head time { font-weight: 550; font-variant-numeric: tabular-nums; }
  .figures { margin-inline-start: auto; color: var(--ink-faint); font-size: var(--text-xs); font-variant-numeric: tabular-nums; }
  .became { font-size: var(--text-s); color: var(--ink-faint); }
  .became:empty { display: none; }
  .older > summary { font-size: var(--text-s); color: var(--ink-soft); overflow-wrap: anywhere; }
  .older[open] > summary { margin-bottom: var(--space-2); color: var(--ink-faint); }
  .steps > summary { display: inline-flex; align-items: center; gap: var(--space-1); min-height: 28px; list-style: none; font-size: var(--text-s); color: var(--ink-soft); }
  .steps > summary::-webkit-details-marker { display: none; }
  .steps > summary svg { transition: transform var(--quick); }
  .steps[open] > summary svg { transform: rotate(90deg); }
  .steps > steward-run-stream { margin-top: var(--space-2); padding-inline-start: var(--space-4); border-inline-start: 2px solid var(--line); }
`;
