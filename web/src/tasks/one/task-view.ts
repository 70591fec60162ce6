// One task: what it is, what it does right now, what it did.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import type { PlannedTask, TaskRun } from "../../../../src/contract/wire/methods/tasks.ts";
import type { App } from "../../app/app.ts";
import { browserTimers } from "../../gateway/timers.ts";
import "../../inbox/approval-card.ts";
import { type Loading, load, loading } from "../../settings/loading.ts";
import { watch } from "../../state/watch.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { followTasks } from "../follow-tasks.ts";
import { chip } from "../list/task-row.ts";
import { isUnderWay, standingOf, whyNotNow } from "../task-words.ts";
import { unreadTask } from "../unread-task.ts";
import { plainTimes, timesWish } from "./next-times.ts";
import "./notify-offer.ts";
import { runList, runStyles } from "./run-list.ts";
import "./run-stream.ts";
import { endTask, pauseTask, resumeTask, runTask } from "./task-actions.ts";
import { factStyles, taskFacts } from "./task-facts.ts";
import { viewStyles } from "./view-styles.ts";

export class StewardTaskView extends LitElement {
  static override properties = {
    app: { attribute: false },
    taskId: { attribute: false },
    isNew: { type: Boolean },
    answer: { state: true },
    times: { state: true },
    unfolded: { state: true },
    isBusy: { state: true },
  };
  static override styles = [controls, viewStyles, factStyles, runStyles, css`:host { display: block; }`];
  declare app: App;
  declare taskId: string;
  /** It was made on this page just now. */
  declare isNew: boolean;
  declare answer: Loading<MethodResult<"tasks.history">>;
  declare times: readonly number[];
  declare unfolded: ReadonlySet<string>;
  declare isBusy: boolean;
  private unfollow: (() => void) | undefined;

  constructor() {
    super();
    this.answer = loading;
    this.times = [];
    this.unfolded = new Set();
    this.isBusy = false;
    watch(this, () => [this.app.approvals, this.app.sessions]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.unfollow = followTasks(this.app.link, browserTimers, () => void this.reload());
    void this.reload();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unfollow?.();
  }

  override render(): TemplateResult {
    const { answer } = this;
    return html`<a class="back" href="/tasks">${icon("chevron", 16)} Tasks</a>
      ${answer.state === "ready" ? this.renderTask(answer.value.task, answer.value.runs) : this.renderWithout(answer)}`;
  }

  private renderWithout(answer: Exclude<typeof this.answer, { state: "ready" }>): TemplateResult {
    if (answer.state === "failed") return unreadTask(answer, () => void this.reload());
    return html`<div class="view" role="status" aria-busy="true" aria-label="Loading"><div class="card bone"></div><div class="card bone"></div></div>`;
  }

  private renderTask(task: PlannedTask, runs: readonly TaskRun[]): TemplateResult {
    const standing = standingOf(task);
    const [newest] = runs;
    const live = newest && isUnderWay({ ...task, lastRun: newest }) ? newest : undefined;
    const past = live ? runs.slice(1) : runs;
    return html`<div class="view">
      <header>
        <h1>${task.title}</h1>
        ${standing ? chip(standing) : nothing}
      </header>
      ${this.renderActions(task)} ${this.isNew ? html`<steward-notify-offer .app=${this.app}></steward-notify-offer>` : nothing}
      ${this.renderQuestions(task)} ${this.renderLive(task, live)}
      ${taskFacts(this.app, task, this.times)} ${this.renderRuns(task, past, live !== undefined)}
    </div>`;
  }

  private renderActions(task: PlannedTask): TemplateResult | typeof nothing {
    if (task.state === "ended") return nothing;
    const isPaused = task.state === "paused";
    const whyNot = whyNotNow(task);
    const act = (action: (app: App, task: PlannedTask) => Promise<void>) => () => this.act(action, task);
    return html`<div class="row actions">
      <button class="primary" ?disabled=${this.isBusy || whyNot !== undefined} title=${whyNot ?? nothing} @click=${act(runTask)}>${icon("play", 16)} Run now</button>
      ${
        isPaused
          ? html`<button ?disabled=${this.isBusy} @click=${act(resumeTask)}>${icon("play", 16)} Resume</button>`
          : html`<button ?disabled=${this.isBusy} @click=${act(pauseTask)}>${icon("pause", 16)} Pause</button>`
      }
      <a class="button" href="/tasks/${encodeURIComponent(task.id)}/edit">${icon("edit", 16)} Edit</a>
      <button class="danger" ?disabled=${this.isBusy} @click=${act(endTask)}>${icon("close", 16)} End task</button>
    </div>`;
  }

  private renderQuestions(task: PlannedTask): TemplateResult | typeof nothing {
    const open = this.app.approvals.value.filter(({ sessionKey }) => sessionKey === task.sessionKey);
    if (open.length === 0) return nothing;
    return html`<section aria-label="Waits for your answer">
      <h2>Waits for your answer</h2>
      ${repeat(
        open,
        ({ approvalId }) => approvalId,
        (approval) => html`<steward-approval-card .app=${this.app} .approval=${approval}></steward-approval-card>`,
      )}
    </section>`;
  }

  // it listens before anything runs, so that a run is seen from its first word
  private renderLive(task: PlannedTask, run: TaskRun | undefined): TemplateResult | typeof nothing {
    if (task.action.kind !== "do") return nothing;
    return html`<section aria-label="Under way" ?hidden=${run === undefined}>
      <h2>Under way</h2>
      <div class="card live">
        <steward-run-stream .app=${this.app} .sessionKey=${task.sessionKey} .turn=${run?.turn} .isLive=${true}></steward-run-stream>
      </div>
    </section>`;
  }

  private renderRuns(task: PlannedTask, runs: readonly TaskRun[], isLive: boolean): TemplateResult {
    const hasConversation = isLive || runs.some((run) => run.turn !== undefined);
    const deps = {
      app: this.app,
      task,
      isOpen: (run: string) => this.unfolded.has(run),
      toggle: (run: string, isOpen: boolean) => this.unfold(run, isOpen),
    };
    return html`<section aria-label="Runs">
      <h2>Runs</h2>
      ${runs.length === 0 ? html`<p class="hint">${isLive ? "This is its first run." : "It has not run yet."}</p>` : runList(deps, runs)}
      ${hasConversation ? html`<p class="whole"><a href="/chat/${task.sessionKey}">Open the whole conversation</a></p>` : nothing}
    </section>`;
  }

  private unfold(run: string, isOpen: boolean): void {
    const unfolded = new Set(this.unfolded);
    if (isOpen) unfolded.add(run);
    else unfolded.delete(run);
    this.unfolded = unfolded;
  }

  private async act(action: (app: App, task: PlannedTask) => Promise<void>, task: PlannedTask): Promise<void> {
    this.isBusy = true;
    await action(this.app, task);
    this.isBusy = false;
    await this.reload();
  }

  private async reload(): Promise<void> {
    const answer = await load(() => this.app.link.call("tasks.history", { id: this.taskId }));
    if (answer.state === "failed" && this.answer.state === "ready") return;
    this.answer = answer;
    if (answer.state === "ready") await this.readTimes(answer.value.task);
  }

  private async readTimes(task: PlannedTask): Promise<void> {
    const known = plainTimes(task);
    const wish = timesWish(task);
    if (known || !wish) {
      this.times = known ?? [];
      return;
    }
    const asked = await load(() => this.app.link.call("tasks.preview", wish));
    // without them the next time alone is told
    const next = task.nextAtMs === undefined ? [] : [task.nextAtMs];
    this.times = asked.state === "ready" && asked.value.ok ? asked.value.nextAtMs : next;
  }
}

customElements.define("steward-task-view", StewardTaskView);
