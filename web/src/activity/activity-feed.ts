import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { App } from "../app/app.ts";
import { failedNotice } from "../settings/loading.ts";
import { watch } from "../state/watch.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { type ActivityFilter, filterPath, isFiltered } from "./activity-filter.ts";
import { type Day, groupByDay } from "./group-by-day.ts";
import { type Feed, openFeed } from "./open-feed.ts";
import "./activity-row.ts";

// by then the lines are drawn and the end is known to be in sight or not
const drawnMs = 100;

type Row = Feed["events"][number];

/** The list of lines for one filter: days, more on the way down, new ones on top. */
export class StewardActivityFeed extends LitElement {
  static override properties = {
    app: { attribute: false },
    filter: { attribute: false },
    revision: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: block; }
      h2 { position: sticky; top: 0; z-index: 1; padding: var(--space-3); font-size: var(--text-s); color: var(--ink-soft); background: var(--paper); }
      ul { padding: 0; list-style: none; }
      .new { position: sticky; top: var(--space-3); z-index: 2; display: flex; justify-content: center; height: 0; }
      .new button { box-shadow: var(--shadow-2); border-radius: 18px; }
      .more { display: flex; justify-content: center; min-height: 52px; padding: var(--space-3); }
      .bone { height: 24px; margin: 10px var(--space-3); background: var(--sunken); border-radius: var(--radius-s); }
      .bone:nth-child(odd) { width: 70%; }
    `,
  ];
  declare app: App;
  declare filter: ActivityFilter;
  /** Counts changes of the feed, which is no value that Lit could compare. */
  declare revision: number;
  private feed: Feed | undefined;
  private opened: string | undefined;
  private isAtTop = true;
  private isAtEnd = false;
  private topSeen = new IntersectionObserver(([entry]) => this.topIsSeen(entry?.isIntersecting === true));
  private endSeen = new IntersectionObserver(([entry]) => this.endIsSeen(entry?.isIntersecting === true), {
    rootMargin: "400px",
  });

  constructor() {
    super();
    this.revision = 0;
    watch(this, () => [this.app.sessions]);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.feed?.close();
    this.feed = undefined;
    this.opened = undefined;
    this.topSeen.disconnect();
    this.endSeen.disconnect();
  }

  override willUpdate(): void {
    const address = filterPath(this.filter);
    if (!this.isConnected || address === this.opened) return;
    this.opened = address;
    this.feed?.close();
    this.isAtTop = true;
    const feed = openFeed(
      { link: this.app.link, isAtTop: () => this.isAtTop, changed: () => this.changed(feed) },
      this.filter,
    );
    this.feed = feed;
    void feed.loadMore();
  }

  override firstUpdated(_changed: PropertyValues): void {
    this.observe();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.observe();
  }

  override render(): TemplateResult {
    const feed = this.feed;
    const isFirstLoad = feed === undefined || (feed.state === "loading" && feed.events.length === 0);
    return html`
      <div class="top"></div>
      ${feed && feed.waiting.length > 0 ? this.renderNew(feed) : nothing}
      ${isFirstLoad ? renderBones() : this.renderDays(feed)}
      <div class="more">${feed ? this.renderMore(feed) : nothing}</div>
    `;
  }

  private renderNew(feed: Feed): TemplateResult {
    const count = feed.waiting.length === 1 ? "1 new" : `${feed.waiting.length} new`;
    return html`<div class="new" role="status"><button class="primary" @click=${this.showNew}>${icon("send", 16)} ${count}</button></div>`;
  }

  private renderDays(feed: Feed): TemplateResult {
    if (feed.events.length === 0 && feed.state === "ready" && !feed.more) return this.renderEmpty();
    return html`${repeat(
      groupByDay(feed.events, Date.now()),
      (day) => day.name,
      (day) => this.renderDay(feed, day),
    )}`;
  }

  private renderDay(feed: Feed, day: Day<Row>): TemplateResult {
    return html`<section aria-label=${day.name}>
      <h2>${day.name}</h2>
      <ul>
        ${repeat(
          day.items,
          (event) => event.seq,
          (event) => html`<li>
            <steward-activity-row .app=${this.app} .event=${event} .facts=${feed.facts} .learned=${this.revision}></steward-activity-row>
          </li>`,
        )}
      </ul>
    </section>`;
  }

  private renderEmpty(): TemplateResult {
    if (isFiltered(this.filter))
      return html`<div class="empty">
        ${icon("search")}
        <h2>Nothing fits</h2>
        <p>No line of the log has all of this.</p>
        <a class="button" href="/activity">Show everything</a>
      </div>`;
    return html`<div class="empty">
      ${icon("activity")}
      <h2>Nothing has happened yet</h2>
      <p>Every message, every tool, every question and every change is written down here, as it happens.</p>
      <a class="button primary" href="/chat">Start a conversation</a>
    </div>`;
  }

  private renderMore(feed: Feed): TemplateResult | typeof nothing {
    if (feed.state === "failed") return failedNotice(feed.problem, () => void feed.loadMore());
    if (!feed.more) return feed.events.length > 0 ? html`<p class="muted small">This is where it began.</p>` : nothing;
    const isLoading = feed.state === "loading";
    return html`<button class="quiet" ?disabled=${isLoading} @click=${() => feed.loadMore()}>
      ${isLoading ? icon("spinner", 16) : nothing} ${isLoading ? "Loading…" : "Show older"}
    </button>`;
  }

  private showNew(): void {
    this.feed?.showWaiting();
    this.renderRoot.querySelector(".top")?.scrollIntoView({ block: "center" });
  }

  // a feed that was closed because the filter changed has nothing to say any more
  private changed(feed: Feed): void {
    if (feed !== this.feed) return;
    this.revision++;
    if (feed.state === "ready") setTimeout(() => this.fill(), drawnMs);
  }

  private observe(): void {
    const top = this.renderRoot.querySelector(".top");
    const end = this.renderRoot.querySelector(".more");
    if (top) this.topSeen.observe(top);
    if (end) this.endSeen.observe(end);
  }

  private topIsSeen(isSeen: boolean): void {
    this.isAtTop = isSeen;
    if (isSeen && this.feed && this.feed.waiting.length > 0) this.feed.showWaiting();
  }

  private endIsSeen(isSeen: boolean): void {
    this.isAtEnd = isSeen;
    this.fill();
  }

  // what was loaded may not have filled the window, and then nothing scrolls
  private fill(): void {
    if (this.isAtEnd && this.feed?.state === "ready" && this.feed.more) void this.feed.loadMore();
  }
}

function renderBones(): TemplateResult {
  return html`<div role="status" aria-busy="true" aria-label="Loading">${Array.from({ length: 12 }, () => html`<div class="bone"></div>`)}</div>`;
}

customElements.define("steward-activity-feed", StewardActivityFeed);
