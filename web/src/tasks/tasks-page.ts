// What Steward does by itself: the list, a calendar, one task with its runs, and the form that makes one.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { App } from "../app/app.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { readMonth } from "./calendar/month-grid.ts";
import { readPlace, type TasksPlace } from "./tasks-place.ts";
import "./calendar/task-calendar.ts";
import "./form/task-form.ts";
import "./list/task-list.ts";
import "./one/task-view.ts";

export class StewardTasksPage extends LitElement {
  static override properties = { app: { attribute: false }, route: { attribute: false } };
  static override styles = [
    controls,
    css`
      :host { display: block; }
      .page { max-width: 920px; }
      .page.wide { max-width: 1240px; }
      .top { display: flex; flex-wrap: wrap; align-items: end; gap: var(--space-3); }
      .top > div { flex: 1 1 260px; }
      .views { display: flex; gap: var(--space-1); margin-bottom: var(--space-4); }
      .views a { display: inline-flex; align-items: center; gap: var(--space-2); min-height: 34px; padding: 0 var(--space-3); font-size: var(--text-s); font-weight: 500; color: var(--ink-soft); text-decoration: none; border-radius: 17px; }
      .views a:hover { background: color-mix(in oklab, var(--ink) 7%, transparent); }
      .views a[aria-current] { color: var(--accent); background: var(--accent-soft); }
      @media (pointer: coarse) { .views a { min-height: 44px; border-radius: 22px; } }
    `,
  ];
  declare app: App;
  declare route: readonly string[];
  private madeId: string | undefined;

  constructor() {
    super();
    this.route = [];
  }

  override updated(changed: PropertyValues<this>): void {
    // another view of the same page: whoever had scrolled down, or reads with their ears, begins at its top
    if (!changed.has("route") || changed.get("route") === undefined) return;
    const before = readPlace(changed.get("route") ?? []);
    const now = readPlace(this.route);
    if (JSON.stringify({ ...before, month: "" }) === JSON.stringify({ ...now, month: "" })) return;
    this.dispatchEvent(new CustomEvent("page-shown", { bubbles: true, composed: true }));
  }

  override render(): TemplateResult {
    const place = readPlace(this.route);
    switch (place.view) {
      case "list":
      case "calendar":
        return html`<div class="page ${place.view === "calendar" ? "wide" : ""}">${this.renderTop(place)} ${this.renderPlanned(place)}</div>`;
      case "new":
        return html`<div class="page">
          <steward-task-form .app=${this.app} .action=${place.action} .day=${place.day} @task-made=${this.remember}></steward-task-form>
        </div>`;
      case "edit":
        return html`<div class="page">
          ${keyed(place.id, html`<steward-task-form .app=${this.app} .taskId=${place.id}></steward-task-form>`)}
        </div>`;
      case "one":
        return html`<div class="page">
          ${keyed(place.id, html`<steward-task-view .app=${this.app} .taskId=${place.id} .isNew=${place.id === this.madeId}></steward-task-view>`)}
        </div>`;
      default:
        return place satisfies never;
    }
  }

  private remember(event: CustomEvent<string>): void {
    this.madeId = event.detail;
  }

  private renderTop({ view }: TasksPlace): TemplateResult {
    const link = (path: string, isOpen: boolean, words: TemplateResult) =>
      html`<a href=${path} aria-current=${isOpen ? "page" : nothing}>${words}</a>`;
    return html`<header class="top">
        <div>
          <h1>Tasks</h1>
          <p>What Steward does by itself, and when.</p>
        </div>
        <a class="button primary" href="/tasks/new">${icon("plus", 18)} New task</a>
      </header>
      <nav class="views" aria-label="Views">
        ${link("/tasks", view === "list", html`${icon("menu", 16)} List`)}
        ${link("/tasks/calendar", view === "calendar", html`${icon("tasks", 16)} Calendar`)}
      </nav>`;
  }

  private renderPlanned(place: TasksPlace): TemplateResult {
    return place.view === "calendar"
      ? html`<steward-task-calendar .app=${this.app} .month=${readMonth(place.month)}></steward-task-calendar>`
      : html`<steward-task-list .app=${this.app}></steward-task-list>`;
  }
}

customElements.define("steward-tasks-page", StewardTasksPage);
