// The search itself: finds while somebody types, and what the index is like.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import { count } from "../../../../src/contract/words/amounts.ts";
import type { App } from "../../app/app.ts";
import { browserTimers } from "../../gateway/timers.ts";
import { failedNotice } from "../../settings/loading.ts";
import { watch } from "../../state/watch.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { memoryStyles } from "../memory-styles.ts";
import { placePath, viewPath } from "../memory-view.ts";
import { nothingNoted } from "../nothing-noted.ts";
import { findCard, findStyles } from "./find-card.ts";
import "./index-line.ts";
import "./recent-notes.ts";
import type { Listed } from "./recent-notes.ts";
import { openSearchAsTyped, type SearchAsTyped } from "./search-as-typed.ts";

type Answer = MethodResult<"memory.search">;
type Status = MethodResult<"memory.status">;

export class StewardMemorySearch extends LitElement {
  static override properties = {
    app: { attribute: false },
    group: { attribute: false },
    query: { attribute: false },
    typed: { state: true },
    status: { state: true },
    listed: { state: true },
  };
  static override styles = [
    controls,
    memoryStyles,
    findStyles,
    css`
      :host { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2); }
      .ask { position: relative; }
      .ask > svg { position: absolute; inset-inline-start: var(--space-3); top: 50%; translate: 0 -50%; color: var(--ink-faint); pointer-events: none; }
      .ask input[type="search"] { min-height: 48px; padding-inline: 44px var(--space-3); font-size: 16px; border-radius: var(--radius-l); }
      .foot { margin-top: var(--space-4); padding-top: var(--space-2); border-top: 1px solid var(--line); }
      .count { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-4); min-height: 24px; padding-inline: 2px; font-size: var(--text-s); color: var(--ink-soft); }
      .empty ul { padding: 0; list-style: none; }
      .keys { display: flex; gap: var(--space-3); color: var(--ink-faint); }
      @media (pointer: coarse), (max-width: 520px) { .keys { display: none; } }
    `,
  ];
  declare app: App;
  declare group: string | undefined;
  /** As the address has it. */
  declare query: string;
  declare typed: string;
  /** As the line of the index tells it. */
  declare status: Status | undefined;
  /** As the notes changed last tell it. */
  declare listed: Listed;
  private search: SearchAsTyped | undefined;

  constructor() {
    super();
    this.query = "";
    this.typed = "";
    this.listed = "loading";
    watch(this, () => (this.search ? [this.search.found, this.app.sessions] : []));
  }

  focusField(): void {
    this.field?.focus();
    this.field?.select();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!this.search) {
      this.search = openSearchAsTyped(this.app.link, browserTimers, this.group);
      this.search.found.subscribe((found) => {
        if (found.kind === "found") this.keepInAddress(found.query);
      });
    }
    if (!changed.has("query") || this.query === this.typed.trim()) return;
    this.typed = this.query;
    this.search.ask(this.query);
  }

  // a finger would be answered by the on-screen keyboard
  override firstUpdated(): void {
    if (!matchMedia("(pointer: coarse)").matches) this.field?.focus({ preventScroll: true });
  }

  override render(): TemplateResult {
    return html`<form class="ask" role="search" aria-label="The memory" @submit=${this.submitted}>
        ${icon("search")}
        <input
          type="search"
          aria-label="Search the memory"
          placeholder="Search notes and conversations"
          autocomplete="off"
          spellcheck="false"
          maxlength="2000"
          .value=${this.typed}
          @input=${this.changed}
          @keydown=${this.pressed}
        />
      </form>
      ${this.renderTrouble()} ${this.renderFound()}
      <steward-index-line
        class="foot"
        ?hidden=${!this.isSettled}
        .app=${this.app}
        .group=${this.group}
        @status=${({ detail }: CustomEvent<Status>) => (this.status = detail)}
      ></steward-index-line>`;
  }

  /** Whether what comes above the foot of the page has come: it is not to jump. */
  private get isSettled(): boolean {
    const kind = this.search?.found.value.kind ?? "nothing asked";
    return kind === "nothing asked" ? this.listed !== "loading" : kind !== "searching";
  }

  private renderTrouble(): TemplateResult | typeof nothing {
    const { status } = this;
    const words = status?.enabled === false ? "The memory is switched off." : status?.trouble;
    if (words === undefined) return nothing;
    const way = status?.enabled === false ? html` <a href="/settings/memory">Switch it on in Settings</a>` : nothing;
    return html`<p class="caution" role="alert">${icon("warning", 16)} <span>${words}${way}</span></p>`;
  }

  private renderFound(): TemplateResult {
    const found = this.search?.found.value ?? { kind: "nothing asked" };
    switch (found.kind) {
      case "nothing asked":
        return this.renderIdle();
      case "searching":
        return html`<p class="count" role="status">Looking…</p>`;
      case "failed":
        return html`<p class="count" role="status"></p>${failedNotice(found.message, () => this.search?.askAgain())}`;
      case "found":
        return this.renderAnswer(found.query, found.answer);
      default:
        return found satisfies never;
    }
  }

  private renderIdle(): TemplateResult {
    return html`<steward-recent-notes
        .app=${this.app}
        .group=${this.group}
        aria-busy=${this.listed === "loading" ? "true" : nothing}
        @listed=${({ detail }: CustomEvent<Listed>) => (this.listed = detail)}
      ></steward-recent-notes>
      ${this.listed === "loading" || this.listed === "some" ? nothing : this.isEmpty ? nothingNoted(this.group) : renderHint()}`;
  }

  /** Nothing is in this memory. */
  private get isEmpty(): boolean {
    const { status } = this;
    if (!status) return false;
    // an index that is not loaded has counted nothing
    if (status.state === "unused") return this.listed === "none" && this.app.sessions.value.length === 0;
    return status.state === "ready" && status.units === 0;
  }

  private renderAnswer(query: string, { finds, ms, note }: Answer): TemplateResult {
    // what is wrong with the index stands above already
    const told = note?.replace(this.status?.trouble ?? "", "").trim() ?? "";
    const isTold = told === "" || this.status?.trouble?.includes(told);
    const caution = isTold ? nothing : html`<p class="caution">${icon("warning", 16)} <span>${told}</span></p>`;
    if (finds.length === 0)
      return html`<p class="visually-hidden" role="status">No results</p>${caution}${this.renderNothing(query)}`;
    const around = { query, group: this.group, sessions: this.app.sessions.value };
    return html`<div class="count"><p class="grow" role="status">${count(finds.length, "result")}, best first, in ${Math.max(1, Math.round(ms))} ms</p>
        <p class="keys" aria-hidden="true"><span><kbd>↓</kbd> to the results</span><span><kbd>Enter</kbd> opens</span></p></div>
      ${caution}
      <ul class="card rows finds" aria-label="Found" @keydown=${this.moved}>
        ${repeat(
          finds,
          // what was unfolded of one find is not unfolded of another
          (find, at) => `${query}\n${at}\n${placePath(find, undefined)}`,
          (find) => html`<li>${findCard(find, around)}</li>`,
        )}
      </ul>`;
  }

  private renderNothing(query: string): TemplateResult {
    const group = this.group;
    return html`<div class="empty">
      ${icon("search")}
      <h2>Nothing found</h2>
      <p>Neither ${group === undefined ? "your notes nor your" : "the notes of this group nor its"} conversations say anything about “${query}”.</p>
      <p>Try other words for it, a name, or fewer words. Or <a href=${viewPath({ view: "files", group })}>look through the files</a>.</p>
    </div>`;
  }

  private get field(): HTMLInputElement | null {
    return this.renderRoot.querySelector("input");
  }

  private get links(): readonly HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>(".finds a.whole")];
  }

  private changed(event: InputEvent): void {
    this.type((event.target as HTMLInputElement).value);
  }

  private type(text: string): void {
    this.typed = text;
    this.search?.ask(text);
    if (text.trim() === "") this.keepInAddress("");
  }

  // so that whoever goes on to a file comes back to what they had searched for
  private keepInAddress(query: string): void {
    if (query !== this.typed.trim() || !this.isConnected) return;
    this.app.go(viewPath({ view: "search", query, group: this.group }), { replaces: true });
    void this.renderRoot.querySelector("steward-index-line")?.look();
  }

  // which of the finds is meant says only the arrow
  private submitted(event: SubmitEvent): void {
    event.preventDefault();
    this.search?.askNow();
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key === "ArrowDown") this.links[0]?.focus();
    else if (event.key === "Escape" && this.typed !== "") this.type("");
    else return;
    event.preventDefault();
  }

  private moved(event: KeyboardEvent): void {
    if (event.key === "Escape") this.focusField();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const { links } = this;
    const to = links.indexOf(event.target as HTMLElement) + step;
    if (to < 0) this.field?.focus();
    else links[to]?.focus();
  }
}

function renderHint(): TemplateResult {
  return html`<div class="empty">
    ${icon("memory")}
    <h2>Ask for what was noted or said</h2>
    <p>“When did I move?”, a name, or a word of it: notes and conversations are looked through.</p>
    <p>To have something noted, say “remember that …” in the chat.</p>
  </div>`;
}

customElements.define("steward-memory-search", StewardMemorySearch);

declare global {
  interface HTMLElementTagNameMap {
    "steward-memory-search": StewardMemorySearch;
  }
}
