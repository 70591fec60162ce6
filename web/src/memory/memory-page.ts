// The memory: searched, read and edited, what of it was recalled in which turn, and what is to be forgotten.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { MethodResult } from "../../../src/contract/wire/method.ts";
import type { App } from "../app/app.ts";
import { isTypingIn } from "../app/palette/shortcuts.ts";
import { load } from "../settings/loading.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { type MemoryView, readView, viewPath } from "./memory-view.ts";
import "./files/note-editor.ts";
import "./files/note-history.ts";
import "./files/note-list.ts";
import "./files/note-view.ts";
import "./forget/forget-view.ts";
import "./recalled/recall-list.ts";
import "./search/memory-search.ts";

type Groups = MethodResult<"groups.list">["groups"];

const yours = "Yours";

export class StewardMemoryPage extends LitElement {
  static override properties = {
    app: { attribute: false },
    route: { attribute: false },
    groups: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: block; }
      header { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 0 var(--space-3); margin-bottom: var(--space-4); }
      /* as high as the choice beside it, which comes later */
      h1 { display: flex; align-items: center; height: 46px; }
      header > p { grid-column: 1 / -1; }
      .whose select { max-width: 22ch; }
      .views { display: flex; flex-wrap: wrap; gap: var(--space-1); margin-bottom: var(--space-4); }
      .views a { display: inline-flex; align-items: center; gap: var(--space-2); min-height: 34px; padding: 0 var(--space-3); font-size: var(--text-s); font-weight: 500; color: var(--ink-soft); text-decoration: none; border-radius: 17px; }
      .views a:hover { background: color-mix(in oklab, var(--ink) 7%, transparent); }
      .views a[aria-current] { color: var(--accent); background: var(--accent-soft); }
      @media (pointer: coarse) { .views a { min-height: 44px; border-radius: 22px; } }
      @media (max-width: 520px) { .views a { padding: 0 var(--space-2); gap: var(--space-1); } .whose select { max-width: 18ch; } }
    `,
  ];
  declare app: App;
  declare route: readonly string[];
  declare groups: Groups;
  /** Where a file was opened from. */
  private from: MemoryView = { view: "files" };

  constructor() {
    super();
    this.route = [];
    this.groups = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // before the window's own keys: here the slash is for this search
    addEventListener("keydown", this.pressed, true);
    void this.loadGroups();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.pressed, true);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    const { view } = this;
    if (changed.has("route") && isList(view)) this.from = view;
  }

  override updated(changed: PropertyValues<this>): void {
    const before = changed.get("route");
    if (before === undefined) return;
    // another view of the same page: whoever had scrolled down, or reads with their ears, begins at its top
    if (placeOf(readView(before)) === placeOf(this.view)) return;
    this.dispatchEvent(new CustomEvent("page-shown", { bubbles: true, composed: true }));
  }

  private get view(): MemoryView {
    return readView(this.route);
  }

  override render(): TemplateResult {
    const { view } = this;
    return html`<div class="page">${isList(view) ? this.renderTop(view) : nothing} ${keyed(placeOf(view), this.renderView(view))}</div>`;
  }

  private renderView(view: MemoryView): TemplateResult {
    const { app } = this;
    const { group } = view;
    switch (view.view) {
      case "search":
        return html`<steward-memory-search .app=${app} .group=${group} .query=${view.query}></steward-memory-search>`;
      case "files":
        return html`<steward-note-list .app=${app} .group=${group}></steward-note-list>`;
      case "file":
        return html`<steward-note-view .app=${app} .group=${group} .path=${view.path} .lines=${view.lines} .best=${view.best} .from=${this.from}></steward-note-view>`;
      case "edit":
        return html`<steward-note-editor .app=${app} .group=${group} .path=${view.path} .version=${view.version}></steward-note-editor>`;
      case "history":
        return html`<steward-note-history .app=${app} .group=${group} .path=${view.path}></steward-note-history>`;
      case "recalled":
        return html`<steward-recall-list .app=${app} .groups=${this.groups} .seq=${view.seq}></steward-recall-list>`;
      case "forget":
        return html`<steward-forget-view .app=${app} .group=${group} .about=${view.about}></steward-forget-view>`;
      default:
        return view satisfies never;
    }
  }

  private renderTop({ view, group }: MemoryView): TemplateResult {
    const link = (to: MemoryView, words: TemplateResult) =>
      html`<a href=${viewPath({ ...to, group })} aria-current=${view === to.view ? "page" : nothing}>${words}</a>`;
    return html`<header>
        <h1>Memory</h1>
        ${view === "recalled" ? nothing : this.renderWhose(group)}
        <p>What was noted and said: find it, read it, change it, have it forgotten.</p>
      </header>
      <nav class="views" aria-label="Views">
        ${link({ view: "search", query: "" }, html`${icon("search", 16)} Search`)}
        ${link({ view: "files" }, html`${icon("file", 16)} Files`)}
        ${link({ view: "recalled" }, html`${icon("clock", 16)} Recalled`)}
        ${link({ view: "forget", about: "" }, html`${icon("trash", 16)} Forget`)}
      </nav>`;
  }

  private renderWhose(group: string | undefined): TemplateResult | typeof nothing {
    const named = this.groups.map(({ name, title }) => ({ name, title }));
    // one that is removed keeps its folder, and an address may lead there
    if (group !== undefined && !named.some(({ name }) => name === group)) named.push({ name: group, title: group });
    if (named.length === 0) return nothing;
    return html`<label class="whose">
      <span class="visually-hidden">Whose memory</span>
      <select @change=${this.chose}>
        <option value="" .selected=${group === undefined}>${yours}</option>
        ${named.map(({ name, title }) => html`<option value=${name} .selected=${name === group}>${title}</option>`)}
      </select>
    </label>`;
  }

  private chose(event: Event): void {
    const group = (event.target as HTMLSelectElement).value || undefined;
    const { view } = this;
    this.app.go(viewPath(view.view === "forget" ? { view: "forget", about: "", group } : { ...view, group }));
  }

  private async loadGroups(): Promise<void> {
    const read = await load(() => this.app.link.call("groups.list", {}));
    // without them there is the owner's own memory to look into
    if (read.state === "ready") this.groups = read.value.groups;
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTypingIn(event)) return;
    const isAbove = event.composedPath().some((node) => node instanceof HTMLDialogElement);
    if (isAbove) return;
    if (event.key === "/") {
      event.preventDefault();
      void this.goToSearch();
    }
    const back = event.key === "Escape" ? backOf(this.view, this.from) : undefined;
    if (!back) return;
    event.preventDefault();
    this.app.go(viewPath(back));
  };

  private async goToSearch(): Promise<void> {
    const { view } = this;
    if (view.view !== "search") this.app.go(viewPath({ view: "search", query: "", group: view.group }));
    await this.updateComplete;
    // the route comes with the window's own next drawing
    await new Promise(requestAnimationFrame);
    await this.updateComplete;
    this.renderRoot.querySelector("steward-memory-search")?.focusField();
  }
}

function isList({ view }: MemoryView): boolean {
  return view === "search" || view === "files" || view === "recalled" || view === "forget";
}

/** What is looked at, whatever is searched for in it. */
function placeOf(view: MemoryView): string {
  return JSON.stringify(view.view === "search" ? { ...view, query: "" } : view);
}

function backOf(view: MemoryView, from: MemoryView): MemoryView | undefined {
  if (view.view === "file") return from;
  if (view.view === "edit" || view.view === "history") return { view: "file", path: view.path, group: view.group };
  return undefined;
}

customElements.define("steward-memory-page", StewardMemoryPage);
