// Everything that is planned, next first.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import type { App } from "../../app/app.ts";
import { browserTimers } from "../../gateway/timers.ts";
import { failedNotice, type Loading, load, loading } from "../../settings/loading.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { followTasks } from "../follow-tasks.ts";
import { groupTasks, type TaskGroup } from "./group-tasks.ts";
import { rowStyles, taskRow } from "./task-row.ts";

const mostTasks = 500;
// "in 5 min" must not stand there for an hour
const clockMs = 20_000;

export class StewardTaskList extends LitElement {
  static override properties = {
    app: { attribute: false },
    answer: { state: true },
    showsEnded: { state: true },
  };
  static override styles = [
    controls,
    rowStyles,
    css`
      :host { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-5); }
      section > h2 { margin-bottom: var(--space-2); font-size: var(--text-s); color: var(--ink-soft); }
      ul.card { padding: 0; list-style: none; overflow: hidden; }
      li + li { border-top: 1px solid var(--line); }
      .foot { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-3); font-size: var(--text-s); color: var(--ink-soft); }
      .foot label { display: inline-flex; align-items: center; gap: var(--space-3); min-height: 44px; cursor: pointer; }
      .bones { display: grid; gap: var(--space-3); }
      .bone { height: 76px; background: var(--sunken); border-color: transparent; }
    `,
  ];
  declare app: App;
  declare answer: Loading<MethodResult<"tasks.list">>;
  declare showsEnded: boolean;
  private unfollow: (() => void) | undefined;
  private clock: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.answer = loading;
    this.showsEnded = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.unfollow = followTasks(this.app.link, browserTimers, () => void this.reload());
    this.clock = setInterval(() => this.requestUpdate(), clockMs);
    void this.reload();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unfollow?.();
    clearInterval(this.clock);
  }

  override render(): TemplateResult {
    const { answer } = this;
    if (answer.state === "failed") return failedNotice(answer.message, () => void this.reload());
    if (answer.state === "loading")
      return html`<div class="bones" role="status" aria-busy="true" aria-label="Loading">${[1, 2, 3].map(() => html`<div class="card bone"></div>`)}</div>`;
    const { tasks, total } = answer.value;
    const groups = groupTasks(tasks, Date.now());
    return html`${tasks.some((task) => task.state !== "ended") ? nothing : renderEmpty()}
      ${repeat(
        groups,
        (group) => group.title,
        (group) => this.renderGroup(group),
      )}
      <div class="foot">
        <label>
          <input type="checkbox" role="switch" .checked=${this.showsEnded} @change=${this.toggleEnded} /> Show ended
        </label>
        ${total > tasks.length ? html`<span>${total - tasks.length} more are not shown.</span>` : nothing}
      </div>`;
  }

  private renderGroup({ title, tasks }: TaskGroup): TemplateResult {
    return html`<section aria-label=${title}>
      <h2>${title}</h2>
      <ul class="card">
        ${repeat(
          tasks,
          (task) => task.id,
          (task) => html`<li>${taskRow(task, Date.now())}</li>`,
        )}
      </ul>
    </section>`;
  }

  private toggleEnded(event: Event): void {
    this.showsEnded = (event.target as HTMLInputElement).checked;
    void this.reload();
  }

  private async reload(): Promise<void> {
    const ended = this.showsEnded;
    const answer = await load(() => this.app.link.call("tasks.list", { ended, limit: mostTasks }));
    // the switch was turned meanwhile: its own answer is on its way
    if (ended !== this.showsEnded) return;
    if (answer.state === "ready" || this.answer.state !== "ready") this.answer = answer;
  }
}

function renderEmpty(): TemplateResult {
  return html`<div class="empty">
    ${icon("tasks")}
    <h2>Nothing is planned</h2>
    <p>Say “remind me at six to call Anna” in the chat,<br />or make a task here.</p>
    <a class="button primary" href="/tasks/new">${icon("plus", 18)} Make a task</a>
  </div>`;
}

customElements.define("steward-task-list", StewardTaskList);
