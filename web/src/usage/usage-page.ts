// What the models cost, how much they read and wrote, and how long they took.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { MethodResult, UsageRow } from "../../../src/contract/wire/method.ts";
import { lastDays, openCalendar } from "../../../src/contract/words/calendar.ts";
import type { App } from "../app/app.ts";
import { failedNotice, type Loading, load, loading } from "../settings/loading.ts";
import { watch } from "../state/watch.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { renderBackground } from "./background-usage.ts";
import { measureNames } from "./chart-words.ts";
import { renderBudgets } from "./usage-budgets.ts";
import { renderFigures } from "./usage-cards.ts";
import { rowsOn, seriesByModel } from "./usage-days.ts";
import type { Measure } from "./usage-figures.ts";
import { renderShares } from "./usage-shares.ts";
import { usageStyles } from "./usage-styles.ts";
import "./usage-chart.ts";

const keptDays = 90;
const ranges = [7, 30, 90] as const;
const settleMs = 2_000;

export class StewardUsagePage extends LitElement {
  static override properties = {
    app: { attribute: false },
    route: { attribute: false },
    rows: { state: true },
    settings: { state: true },
    isDark: { state: true },
    taskNames: { state: true },
  };
  static override styles = [controls, usageStyles, css`:host { display: block; }`];
  declare app: App;
  declare route: readonly string[];
  declare rows: Loading<MethodResult<"usage.get">>;
  declare settings: Readonly<Record<string, unknown>>;
  declare isDark: boolean;
  declare taskNames: ReadonlyMap<string, string>;
  private unfollow: (() => void) | undefined;
  private refreshing: ReturnType<typeof setTimeout> | undefined;
  private darkness = matchMedia("(prefers-color-scheme: dark)");

  constructor() {
    super();
    this.route = [];
    this.rows = loading;
    this.settings = {};
    this.taskNames = new Map();
    watch(this, () => [this.app.sessions, this.app.theme]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.isDark = this.darkness.matches;
    this.darkness.addEventListener("change", this.darknessChanged);
    this.unfollow = this.app.link.follow((followed) => {
      if (followed.type === "step.finished") this.refreshSoon();
    });
    void this.reload();
    void this.readLimits();
    void this.readTaskNames();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.darkness.removeEventListener("change", this.darknessChanged);
    this.unfollow?.();
    clearTimeout(this.refreshing);
    this.refreshing = undefined;
  }

  private darknessChanged = (): void => {
    this.isDark = this.darkness.matches;
  };

  override render(): TemplateResult {
    return html`<div class="page">
      <header>
        <h1>Usage</h1>
        <p>What the models cost, how much they read and wrote, how long they took. ${this.renderZone()}</p>
      </header>
      ${this.renderRows()}
    </div>`;
  }

  private renderRows(): TemplateResult {
    const { rows } = this;
    if (rows.state === "failed") return failedNotice(rows.message, () => void this.reload());
    if (rows.state === "loading")
      return html`<div role="status" aria-busy="true" aria-label="Loading">
        <div class="figures">${[1, 2, 3].map(() => html`<div class="card bone figure-bone"></div>`)}</div>
        <div class="card bone chart-bone"></div>
      </div>`;
    if (rows.value.rows.length === 0) return renderEmpty();
    return this.renderUsage(rows.value);
  }

  // this browser may be elsewhere than Steward, whose owner's days count
  private renderZone(): string {
    return this.rows.state === "ready" ? `Days are counted in the time zone ${this.rows.value.timeZone}.` : "";
  }

  private renderUsage({ rows, timeZone }: MethodResult<"usage.get">): TemplateResult {
    const today = openCalendar(timeZone)(Date.now());
    const days = lastDays(today, this.range());
    const shown = rowsOn(rows, days);
    return html`
      ${renderFigures(rows, today)} ${renderBudgets(this.settings, rows, today, (key) => this.nameOf(key))}
      ${renderBackground(rows, today, this.settings)}
      <div class="ranges" role="group" aria-label="Days shown below">
        ${ranges.map(
          (range) =>
            html`<a class="button" href="/usage/${range}" aria-current=${range === this.range() ? "true" : nothing}>${range} days</a>`,
        )}
      </div>
      <div class="charts">
        ${(["cost", "tokens", "latency"] as const).map((measure) => this.renderChart(measure, shown, days))}
      </div>
      ${renderShares(shown, { model: (model) => model, conversation: (key) => this.nameOf(key) })}
    `;
  }

  private renderChart(measure: Measure, rows: readonly UsageRow[], days: readonly string[]): TemplateResult {
    return html`<steward-usage-chart
      .measure=${measure}
      .heading=${measureNames[measure]}
      .days=${days}
      .series=${seriesByModel(rows, days, measure)}
      .theme=${`${this.app.theme.value} ${this.isDark}`}
    ></steward-usage-chart>`;
  }

  private range(): number {
    const wanted = Number(this.route[0]);
    return ranges.find((range) => range === wanted) ?? 30;
  }

  private nameOf(sessionKey: string): string | undefined {
    return (
      this.app.sessions.value.find((one) => one.sessionKey === sessionKey)?.title ?? this.taskNames.get(sessionKey)
    );
  }

  // the runs of tasks are not among the conversations of people
  private async readTaskNames(): Promise<void> {
    const answer = await load(() => this.app.link.call("tasks.list", { ended: true, limit: 1000 }));
    if (answer.state === "ready")
      this.taskNames = new Map(answer.value.tasks.map(({ sessionKey, title }) => [sessionKey, title]));
  }

  private async reload(): Promise<void> {
    const sinceMs = Date.now() - keptDays * 86_400_000;
    const rows = await load(() => this.app.link.call("usage.get", { sinceMs }));
    // figures that are on the page stay there when only the refreshing failed
    if (rows.state === "ready" || this.rows.state !== "ready") this.rows = rows;
  }

  private async readLimits(): Promise<void> {
    const answer = await load(() => this.app.link.call("settings.get", {}));
    // somebody who may only look cannot read the settings, and sees the page without limits
    if (answer.state === "ready") this.settings = answer.value.values;
  }

  // a turn has many steps: one look after they have come
  private refreshSoon(): void {
    this.refreshing ??= setTimeout(() => {
      this.refreshing = undefined;
      void this.reload();
    }, settleMs);
  }
}

function renderEmpty(): TemplateResult {
  return html`<div class="empty">
    ${icon("usage")}
    <h2>No model has been asked yet</h2>
    <p>As soon as Steward answers you, its tokens, cost and times are shown here, by day, model and conversation.</p>
    <a class="button primary" href="/chat">Start a conversation</a>
  </div>`;
}

customElements.define("steward-usage-page", StewardUsagePage);
