// Everything that happened, as lines; /activity/log shows the program's own log.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { App } from "../app/app.ts";
import { failureWords } from "../settings/loading.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { readFilter } from "./activity-filter.ts";
import { readLevel } from "./log-tail.ts";
import { type ChainVerdict, verdictWords } from "./verdict-words.ts";
import "./activity-feed.ts";
import "./activity-filters.ts";

export class StewardActivityPage extends LitElement {
  static override properties = {
    app: { attribute: false },
    route: { attribute: false },
    verdict: { state: true },
    isChecking: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: block; }
      .head { display: flex; flex-wrap: wrap; align-items: start; gap: var(--space-3); }
      .head > div { flex: 1 1 260px; }
      .tabs { display: flex; gap: var(--space-4); margin-bottom: var(--space-4); border-bottom: 1px solid var(--line); }
      .tabs a { padding: var(--space-2) 2px; margin-bottom: -1px; font-size: var(--text-s); font-weight: 550; color: var(--ink-soft); text-decoration: none; border-bottom: 2px solid transparent; }
      .tabs a[aria-current] { color: var(--accent); border-color: var(--accent); }
      .verdict { display: flex; gap: var(--space-3); margin-bottom: var(--space-4); padding: var(--space-3) var(--space-4); font-size: var(--text-s); }
      .verdict.good { color: var(--good); background: var(--good-soft); border-color: transparent; }
      .verdict.bad { color: var(--danger); background: var(--danger-soft); border-color: transparent; }
      .verdict ul { margin-top: var(--space-1); padding-inline-start: var(--space-4); }
      steward-activity-feed { display: block; margin-top: var(--space-3); }
    `,
  ];
  declare app: App;
  declare route: readonly string[];
  declare verdict: ChainVerdict | { problem: string } | undefined;
  declare isChecking: boolean;

  constructor() {
    super();
    this.route = [];
    this.isChecking = false;
  }

  override render(): TemplateResult {
    const isLog = this.route[0] === "log";
    const filter = readFilter(this.route);
    return html`<div class="page">
      <header class="head">
        <div>
          <h1>Activity</h1>
          <p>What Steward and you did, newest first.</p>
        </div>
        <button ?disabled=${this.isChecking} @click=${this.check} title="Looks whether anything in the written record was changed or removed afterwards">
          ${icon(this.isChecking ? "spinner" : "shield", 16)} Check the chain
        </button>
      </header>
      <div aria-live="polite">${this.renderVerdict()}</div>
      <nav class="tabs" aria-label="Views">
        <a href="/activity" aria-current=${isLog ? nothing : "page"}>Events</a>
        <a href="/activity/log" aria-current=${isLog ? "page" : nothing}>Program log</a>
      </nav>
      ${
        isLog
          ? html`<steward-log-tail .app=${this.app} .level=${readLevel(this.route[1])}></steward-log-tail>`
          : html`<steward-activity-filters .app=${this.app} .filter=${filter}></steward-activity-filters>
            <steward-activity-feed .app=${this.app} .filter=${filter}></steward-activity-feed>`
      }
    </div>`;
  }

  private renderVerdict(): TemplateResult | typeof nothing {
    const { verdict } = this;
    if (!verdict) return nothing;
    if ("problem" in verdict) return html`<p class="card verdict bad">${icon("warning")} ${verdict.problem}</p>`;
    return html`<div class="card verdict ${verdict.ok ? "good" : "bad"}">
      ${icon(verdict.ok ? "check" : "warning")}
      <div>
        ${verdictWords(verdict)}
        ${verdict.problems.length > 0 ? html`<ul>${verdict.problems.slice(0, 20).map((problem) => html`<li>${problem}</li>`)}</ul>` : nothing}
      </div>
    </div>`;
  }

  private async check(): Promise<void> {
    this.isChecking = true;
    try {
      this.verdict = await this.app.link.call("audit.verify", {});
    } catch (error) {
      this.verdict = { problem: failureWords(error) };
    }
    this.isChecking = false;
  }
}

customElements.define("steward-activity-page", StewardActivityPage);
