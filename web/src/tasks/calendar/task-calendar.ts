// What is due, day by day: a month on a wide screen, an agenda on a narrow one.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { App } from "../../app/app.ts";
import { browserTimers } from "../../gateway/timers.ts";
import { failedNotice, type Loading, load, loading } from "../../settings/loading.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { followTasks } from "../follow-tasks.ts";
import { runStanding } from "../task-words.ts";
import { calendarStyles } from "./calendar-styles.ts";
import {
  type Day,
  type DueTask,
  dueByDay,
  keyOf,
  type Month,
  monthGrid,
  monthOf,
  neighbourMonth,
  timesWords,
} from "./month-grid.ts";
import { type CalendarMonth, readCalendar } from "./read-calendar.ts";

const mostOnDay = 3;

type Due = ReadonlyMap<string, readonly DueTask[]>;

export class StewardTaskCalendar extends LitElement {
  static override properties = {
    app: { attribute: false },
    month: { attribute: false },
    answer: { state: true },
    wholeDays: { state: true },
    showsEarlier: { state: true },
  };
  static override styles = [controls, calendarStyles, css`:host { display: block; }`];
  declare app: App;
  /** Undefined: this month. */
  declare month: Month | undefined;
  declare answer: Loading<CalendarMonth>;
  /** Days of which everything is shown. */
  declare wholeDays: ReadonlySet<string>;
  /** In the agenda of this month. */
  declare showsEarlier: boolean;
  private unfollow: (() => void) | undefined;

  constructor() {
    super();
    this.answer = loading;
    this.wholeDays = new Set();
    this.showsEarlier = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.unfollow = followTasks(this.app.link, browserTimers, () => void this.reload());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unfollow?.();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("month") || !this.hasUpdated) void this.reload();
  }

  private get shown(): Month {
    return this.month ?? monthOf(Date.now());
  }

  override render(): TemplateResult {
    return html`${this.renderBar()} ${this.renderMonth()}`;
  }

  private renderBar(): TemplateResult {
    const [first] = monthGrid(this.shown)
      .flat()
      .filter((day) => day.isInMonth);
    const name = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric" }).format(first?.startMs);
    const step = (by: 1 | -1, words: string) =>
      html`<a class="button quiet icon ${by < 0 ? "back" : ""}" href="/tasks/calendar/${neighbourMonth(this.shown, by)}" aria-label=${words} title=${words}>${icon("chevron", 18)}</a>`;
    return html`<div class="bar">
      <h2 aria-live="polite">${name}</h2>
      <a class="button" href="/tasks/calendar" @click=${this.showToday}>Today</a>
      ${step(-1, "The month before")} ${step(1, "The month after")}
    </div>`;
  }

  private renderMonth(): TemplateResult {
    const { answer } = this;
    if (answer.state === "failed") return failedNotice(answer.message, () => void this.reload());
    const isLoading = answer.state === "loading";
    const due: Due = isLoading ? new Map() : dueByDay(answer.value.times);
    return html`<div role=${isLoading ? "status" : nothing} aria-busy=${isLoading} aria-label=${isLoading ? "Loading" : nothing}>
      ${this.renderTable(due)} ${this.renderAgenda(due, isLoading)}
    </div>`;
  }

  private renderTable(due: Due): TemplateResult {
    const weeks = monthGrid(this.shown);
    const weekday = (day: Day, style: "short" | "long") =>
      new Intl.DateTimeFormat("en-GB", { weekday: style }).format(day.startMs);
    return html`<table class="month" aria-label="What is due in this month">
      <thead>
        <tr>${weeks[0]?.map((day) => html`<th scope="col" abbr=${weekday(day, "long")}>${weekday(day, "short")}</th>`)}</tr>
      </thead>
      <tbody>
        ${weeks.map((week) => html`<tr>${week.map((day) => this.renderDay(day, due.get(day.key) ?? []))}</tr>`)}
      </tbody>
    </table>`;
  }

  private renderDay(day: Day, due: readonly DueTask[]): TemplateResult {
    const isToday = day.key === keyOf(new Date());
    // a button for one more would take its room
    const isWhole = this.wholeDays.has(day.key) || due.length === mostOnDay + 1;
    const shown = isWhole ? due : due.slice(0, mostOnDay);
    const left = due.length - shown.length;
    const isPast = day.key < keyOf(new Date());
    return html`<td class="${day.isInMonth ? "" : "outside"} ${isToday ? "today" : ""}" aria-current=${isToday ? "date" : nothing}>
      <span class="number">${isPast ? day.number : newOn(day, day.number)}</span>
      ${shown.length === 0 ? nothing : html`<ul>${shown.map((one) => html`<li>${this.renderDue(one)}</li>`)}</ul>`}
      ${left > 0 ? html`<button class="quiet more" @click=${() => this.showWhole(day.key)}>${left} more</button>` : nothing}
    </td>`;
  }

  private renderAgenda(due: Due, isLoading: boolean): TemplateResult {
    const today = keyOf(new Date());
    const inMonth = monthGrid(this.shown)
      .flat()
      .filter((day) => day.isInMonth && due.has(day.key));
    // this month begins with today, and what was is one press away
    const isCut = this.month === undefined && !this.showsEarlier && inMonth.some(({ key }) => key < today);
    const days = isCut ? inMonth.filter(({ key }) => key >= today) : inMonth;
    if (inMonth.length === 0)
      return html`<p class="agenda hint">${isLoading ? "Looking…" : "Nothing is due in this month."}</p>`;
    const upcoming = days.find(({ key }) => key >= today)?.key;
    return html`<div class="agenda">
      ${isCut ? html`<button class="quiet" @click=${this.showEarlier}>Show earlier days</button>` : nothing}
      ${days.map(
        (day) => html`<section class=${day.key === upcoming ? "upcoming" : ""} aria-label=${dayName(day)}>
          <h3 class=${day.key === today ? "today" : ""}>
            ${dayName(day)} ${day.key < today ? nothing : newOn(day, icon("plus", 18))}
          </h3>
          <ul class="card">${(due.get(day.key) ?? []).map((one) => html`<li>${this.renderDue(one)}</li>`)}</ul>
        </section>`,
      )}
    </div>`;
  }

  private showEarlier(): void {
    this.showsEarlier = true;
  }

  private showWhole(day: string): void {
    this.wholeDays = new Set([...this.wholeDays, day]);
  }

  private renderDue(due: DueTask): TemplateResult {
    const { task, title, atMs, ran } = due;
    const when = this.answer.state === "ready" ? this.answer.value.when.get(task) : undefined;
    const times = timesWords(due, when);
    const standing = ran && runStanding(ran);
    return html`<a class="due ${ran ? "ran" : ""} ${ran === "failed" ? "failed" : ""}" href="/tasks/${encodeURIComponent(task)}" title="${times}: ${title}${standing ? ` (${standing.text})` : ""}">
      <time datetime=${new Date(atMs[0] ?? 0).toISOString()}>${standing?.icon ? icon(standing.icon, 12) : nothing} ${times}</time>
      <span>${title}</span>${standing ? html`<span class="visually-hidden">, ${standing.text}</span>` : nothing}
    </a>`;
  }

  // in this month already, it is brought into view
  private async showToday(): Promise<void> {
    await this.updateComplete;
    const places = [...this.renderRoot.querySelectorAll("td.today, .upcoming")];
    places.find((place) => place.checkVisibility())?.scrollIntoView({ block: "center" });
  }

  private async reload(): Promise<void> {
    const { shown } = this;
    const answer = await load(() => readCalendar(this.app.link, shown, Date.now()));
    // somebody has turned the page meanwhile
    if (shown !== this.shown) return;
    if (answer.state === "ready" || this.answer.state !== "ready") this.answer = answer;
  }
}

function dayName({ startMs }: Day): string {
  return new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" }).format(startMs);
}

/** The way to a new task on that day. */
function newOn(day: Day, words: TemplateResult | number): TemplateResult {
  const name = `New task on ${dayName(day)}`;
  return html`<a class="new" href="/tasks/new/${day.key}" aria-label=${name} title=${name}>${words}</a>`;
}

customElements.define("steward-task-calendar", StewardTaskCalendar);
