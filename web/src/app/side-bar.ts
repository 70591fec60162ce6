// Pages above, conversations below. Collapsed it is a rail of pictures; on a phone it lies in a drawer.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { pages } from "../pages.ts";
import { watch } from "../state/watch.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import type { App } from "./app.ts";
import { mark } from "./mark.ts";
import "./sessions/session-list.ts";

export class StewardSideBar extends LitElement {
  static override properties = {
    app: { attribute: false },
    openPage: { attribute: false },
    openKey: { attribute: false },
    isCollapsed: { type: Boolean, reflect: true, attribute: "collapsed" },
    isDrawer: { type: Boolean },
    needsModel: { type: Boolean },
  };
  static override styles = [
    controls,
    css`
      :host { display: flex; flex-direction: column; height: 100%; min-height: 0; background: var(--paper); }
      header { display: flex; align-items: center; gap: var(--space-1); padding: var(--space-3) var(--space-3) var(--space-2) var(--space-5); }
      .brand { display: flex; align-items: center; gap: var(--space-2); color: var(--ink); text-decoration: none; font-weight: 600; font-size: 16px; letter-spacing: -0.01em; border-radius: var(--radius-s); }
      .brand svg { color: var(--accent); }
      .new { margin: var(--space-2) var(--space-3) var(--space-3); justify-content: flex-start; }
      nav ul { display: grid; gap: 2px; padding: 0 var(--space-3) var(--space-4); list-style: none; }
      nav a, .model {
        display: flex; align-items: center; gap: var(--space-3); min-height: 36px; padding: 0 var(--space-3); color: var(--ink-soft);
        text-decoration: none; font-size: var(--text-m); border-radius: var(--radius-m); transition: background-color var(--quick);
      }
      nav a:hover { color: var(--ink); background: color-mix(in oklab, var(--ink) 6%, transparent); }
      nav a[aria-current] { color: var(--accent); background: var(--accent-soft); font-weight: 500; }
      .badge {
        min-width: 20px; margin-inline-start: auto; padding: 0 6px; text-align: center; font-size: var(--text-xs); line-height: 20px;
        font-weight: 600; color: var(--accent-ink); background: var(--accent); border-radius: 10px; font-variant-numeric: tabular-nums;
      }
      steward-session-list { flex: 1; padding-top: var(--space-3); border-top: 1px solid var(--line); }
      .model { margin: var(--space-2) var(--space-3); padding-block: var(--space-2); font-size: var(--text-s); color: var(--accent); background: var(--accent-soft); }
      footer { display: flex; align-items: center; gap: var(--space-1); padding: var(--space-2) var(--space-3); border-top: 1px solid var(--line); }
      footer .find { flex: 1; min-width: 0; justify-content: flex-start; padding: 0 var(--space-2) 0 var(--space-3); }
      footer kbd { margin-inline-start: auto; }
      :host([collapsed]) header, :host([collapsed]) footer { flex-direction: column; padding: var(--space-3) 0; }
      :host([collapsed]) footer { margin-top: auto; }
      :host([collapsed]) nav ul { padding: 0 var(--space-2); }
      :host([collapsed]) nav a { position: relative; justify-content: center; padding: 0; min-height: 42px; }
      :host([collapsed]) .new { margin: 0 auto var(--space-3); justify-content: center; }
      :host([collapsed]) .badge { position: absolute; top: 2px; right: 2px; min-width: 16px; padding: 0 4px; line-height: 16px; font-size: 11px; }
      :host([collapsed]) .find { flex: none; justify-content: center; padding: 0; }
      .toggle { position: relative; }
      .news { position: absolute; top: 4px; right: 4px; width: 8px; height: 8px; background: var(--accent); border-radius: 50%; }
      @media (pointer: coarse) { nav a { min-height: 44px; } kbd { display: none; } }
    `,
  ];
  declare app: App;
  declare openPage: string | undefined;
  declare openKey: string | undefined;
  declare isCollapsed: boolean;
  /** It lies in a drawer above the page, and its first button closes that. */
  declare isDrawer: boolean;
  /** No model is connected yet: the way to connect one is shown. */
  declare needsModel: boolean;

  constructor() {
    super();
    watch(this, () => [this.app.approvals, this.app.unread, this.app.theme]);
  }

  focusSearch(): void {
    this.renderRoot.querySelector("steward-session-list")?.focusSearch();
  }

  override render(): TemplateResult {
    const { isCollapsed } = this;
    return html`<header>
        <a class="brand" href="/" aria-label="Steward, new chat">${mark}${isCollapsed ? nothing : "Steward"}</a>
        <span class="grow"></span>
        ${this.renderToggle()}
      </header>
      ${this.renderNewChat()}
      <nav aria-label="Pages">
        <ul>
          ${pages.filter((page) => page.listed !== false).map((page) => this.renderPage(page))}
        </ul>
      </nav>
      ${isCollapsed ? nothing : this.renderSessions()}
      <footer>
        <button class="quiet find ${isCollapsed ? "icon" : ""}" aria-label=${isCollapsed ? "Find anything" : nothing} @click=${() => this.tell("open-palette")}>
          ${icon("search", 18)}${isCollapsed ? nothing : html`Find anything <kbd aria-hidden="true">Ctrl K</kbd>`}
        </button>
        ${this.renderTheme()}
      </footer>`;
  }

  private renderToggle(): TemplateResult {
    const sideBarWords = this.isCollapsed ? "Show the sidebar" : "Hide the sidebar";
    const words = this.isDrawer ? "Close the menu" : sideBarWords;
    const hidesNews = this.isCollapsed && this.app.unread.value.size > 0;
    return html`<button class="quiet icon toggle" aria-label=${words} title=${words} @click=${() => this.tell("toggle-sidebar")}>
      ${icon(this.isDrawer ? "close" : "sidebar")}${hidesNews ? html`<i class="news"></i>` : nothing}
    </button>`;
  }

  private renderNewChat(): TemplateResult {
    return this.isCollapsed
      ? html`<button class="icon new" aria-label="New chat" title="New chat" @click=${() => this.tell("new-chat")}>${icon("plus")}</button>`
      : html`<button class="new" @click=${() => this.tell("new-chat")}>${icon("plus", 18)} New chat</button>`;
  }

  private renderPage(page: (typeof pages)[number]): TemplateResult {
    const waiting = page.badge?.(this.app) ?? 0;
    const isOpen = page.path === this.openPage;
    return html`<li>
      <a
        href="/${page.path === "chat" ? "" : page.path}"
        aria-current=${isOpen ? "page" : nothing}
        aria-label=${this.isCollapsed ? page.title : nothing}
        title=${this.isCollapsed ? page.title : nothing}
      >
        ${icon(page.icon)}${this.isCollapsed ? nothing : page.title}
        ${waiting > 0 ? html`<span class="badge">${waiting}<span class="visually-hidden"> waiting</span></span>` : nothing}
      </a>
    </li>`;
  }

  private renderSessions(): TemplateResult {
    return html`<steward-session-list
        role="region"
        aria-label="Your conversations"
        .app=${this.app}
        .openKey=${this.openKey}
      ></steward-session-list>
      ${this.needsModel ? html`<a class="model" href="/setup">${icon("setup", 18)} Connect a model</a>` : nothing}`;
  }

  private renderTheme(): TemplateResult {
    const isDark =
      this.app.theme.value === "system"
        ? matchMedia("(prefers-color-scheme: dark)").matches
        : this.app.theme.value === "dark";
    const words = isDark ? "Use light colours" : "Use dark colours";
    return html`<button
      class="quiet icon"
      aria-label=${words}
      title=${words}
      @click=${() => this.app.theme.set(isDark ? "light" : "dark")}
    >
      ${icon(isDark ? "sun" : "moon", 18)}
    </button>`;
  }

  private tell(what: "toggle-sidebar" | "open-palette" | "new-chat"): void {
    this.dispatchEvent(new CustomEvent(what));
  }
}

customElements.define("steward-side-bar", StewardSideBar);

declare global {
  interface HTMLElementTagNameMap {
    "steward-side-bar": StewardSideBar;
  }
}
