// The conversations in the sidebar, with one field that searches their names at once and their words a moment later.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Session } from "../../../../src/contract/wire/method.ts";
import { formatAgo } from "../../../../src/contract/words/amounts.ts";
import { browserTimers } from "../../gateway/timers.ts";
import { watch } from "../../state/watch.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { isBackground, sessionName } from "../../words.ts";
import type { App } from "../app.ts";
import { rankMatches } from "../palette/fuzzy-match.ts";
import { groupSessions } from "./group-sessions.ts";
import { openSessionSearch, type SearchHit, type SessionSearch } from "./session-search.ts";
import "./session-row.ts";

const step = 50;

export class StewardSessionList extends LitElement {
  static override properties = {
    app: { attribute: false },
    openKey: { attribute: false },
    query: { state: true },
    most: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: flex; flex-direction: column; min-height: 0; }
      .search { position: relative; padding: 0 var(--space-3) var(--space-2); }
      .search svg { position: absolute; left: 22px; top: 0; height: calc(100% - var(--space-2)); color: var(--ink-faint); pointer-events: none; }
      .search input { min-height: 36px; padding-inline-start: 36px; font-size: var(--text-s); background: transparent; }
      .search input:focus { background: var(--surface); }
      .list { position: relative; flex: 1; padding: 0 var(--space-2) var(--space-4); overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin; }
      h3 { padding: var(--space-3) var(--space-3) var(--space-1); font-size: var(--text-xs); font-weight: 500; color: var(--ink-faint); letter-spacing: 0; }
      ul { padding: 0; list-style: none; }
      .note { padding: var(--space-2) var(--space-3); font-size: var(--text-s); color: var(--ink-faint); text-wrap: pretty; }
      .hit { display: grid; gap: 2px; padding: var(--space-2) var(--space-3); color: inherit; text-decoration: none; border-radius: var(--radius-m); font-size: var(--text-s); }
      .hit:hover { background: color-mix(in oklab, var(--ink) 6%, transparent); }
      .hit b { font-weight: 550; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      .hit span { color: var(--ink-faint); font-size: var(--text-xs); overflow-wrap: anywhere; }
      .all { width: 100%; }
    `,
  ];
  declare app: App;
  declare openKey: string | undefined;
  declare query: string;
  declare most: number;
  private search: SessionSearch | undefined;

  constructor() {
    super();
    this.query = "";
    this.most = step;
    watch(this, () => {
      const { sessions, loaded, unread } = this.app;
      return this.search ? [sessions, loaded, unread, this.search.found] : [sessions, loaded, unread];
    });
  }

  override willUpdate(): void {
    this.search ??= openSessionSearch(this.app.link, browserTimers);
  }

  focusSearch(): void {
    this.renderRoot.querySelector("input")?.select();
  }

  override render(): TemplateResult {
    const isSearching = this.query.trim() !== "";
    return html`<div class="search" role="search">
        ${icon("search", 18)}
        <input
          type="search"
          aria-label="Search conversations"
          placeholder="Search conversations"
          autocomplete="off"
          .value=${this.query}
          @input=${this.typed}
          @keydown=${this.pressed}
        />
      </div>
      <div class="list">${isSearching ? this.renderFound() : this.renderAll()}</div>`;
  }

  private renderAll(): TemplateResult {
    const sessions = this.spokenIn();
    if (!this.app.loaded.value) return html``;
    if (sessions.length === 0) return html`<p class="note">What you talk about with Steward is listed here.</p>`;
    const groups = groupSessions(sessions.slice(0, this.most), Date.now());
    return html`${groups.map((group) => html`<h3>${group.title}</h3>${this.renderRows(group.sessions)}`)}
    ${sessions.length > this.most ? html`<button class="quiet all" @click=${this.showMore}>Show more</button>` : nothing}`;
  }

  // the runs of tasks are read on the page of their task
  private spokenIn(): readonly Session[] {
    return this.app.sessions.value.filter(({ sessionKey }) => !isBackground(sessionKey));
  }

  private renderRows(sessions: readonly Session[]): TemplateResult {
    return html`<ul>
      ${repeat(
        sessions,
        (session) => session.sessionKey,
        (session) =>
          html`<li>
            <steward-session-row
              .app=${this.app}
              .session=${session}
              .isOpen=${session.sessionKey === this.openKey}
              .isUnread=${this.app.unread.value.has(session.sessionKey)}
            ></steward-session-row>
          </li>`,
      )}
    </ul>`;
  }

  private renderFound(): TemplateResult {
    const named = rankMatches(this.query, this.spokenIn(), sessionName).slice(0, 20);
    return html`${named.length > 0 ? html`<h3>Named so</h3>${this.renderRows(named)}` : nothing}
      <div role="status">${this.renderHits(named.length)}</div>`;
  }

  private renderHits(named: number): TemplateResult | typeof nothing {
    const found = this.search?.found.value ?? { kind: "nothing asked" };
    switch (found.kind) {
      case "nothing asked":
        return nothing;
      case "searching":
        return html`<p class="note">Searching…</p>`;
      case "failed":
        return html`<p class="note">${found.message}</p>`;
      case "hits":
        if (found.hits.length > 0)
          return html`<h3>Said in conversations</h3>${found.hits.map((hit) => this.renderHit(hit))}`;
        return named > 0 ? nothing : html`<p class="note">Nothing found. Try fewer or other words.</p>`;
      default:
        return found satisfies never;
    }
  }

  private renderHit(hit: SearchHit): TemplateResult {
    const who = hit.who === "person" ? "You" : "Steward";
    return html`<a class="hit" href="/chat/${hit.sessionKey}/${hit.seq}">
      <b>${sessionName(hit)}</b><span>${hit.snippet}</span><span>${who}, ${formatAgo(hit.atMs, Date.now())}</span>
    </a>`;
  }

  private typed(event: InputEvent): void {
    this.query = (event.target as HTMLInputElement).value;
    this.search?.ask(this.query);
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key === "Escape" && this.query !== "") {
      event.stopPropagation();
      this.query = "";
      this.search?.ask("");
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      this.renderRoot.querySelector<HTMLElement>("steward-session-row, .hit")?.focus();
    }
  }

  private showMore(): void {
    this.most += step;
  }
}

customElements.define("steward-session-list", StewardSessionList);

declare global {
  interface HTMLElementTagNameMap {
    "steward-session-list": StewardSessionList;
  }
}
