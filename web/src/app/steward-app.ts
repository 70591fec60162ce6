// The window: sidebar, the open page, and what lies above them. It holds no state that matters; the frame does.
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { pages } from "../pages.ts";
import { watch } from "../state/watch.ts";
import { openWatched, type Watched } from "../state/watched.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { sessionName } from "../words.ts";
import { ownPathOf } from "./address.ts";
import { appStyles } from "./app-styles.ts";
import type { Frame } from "./frame.ts";
import { isTypingIn, shortcutOf } from "./palette/shortcuts.ts";
import { openSessionKey, type Route, readRoute, windowTitle } from "./route.ts";
import "./confirm-dialog.ts";
import "./page-outlet.ts";
import "./side-bar.ts";
import "./toasts/toast-stack.ts";

const narrowQuery = "(max-width: 720px)";
const collapsedKey = "steward.sidebar";

export class StewardApp extends LitElement {
  static override properties = {
    frame: { attribute: false },
    needsModel: { attribute: false },
    isNarrow: { state: true },
    isCollapsed: { state: true },
    said: { state: true },
  };
  static override styles = [controls, appStyles];
  declare frame: Frame | undefined;
  declare needsModel: Watched<boolean>;
  declare isNarrow: boolean;
  declare isCollapsed: boolean;
  declare said: string;
  private route: Route = readRoute(pages, "/");
  private path = "";
  private isFirstPage = true;
  private readonly narrow = matchMedia(narrowQuery);

  constructor() {
    super();
    this.isNarrow = this.narrow.matches;
    this.isCollapsed = localStorage.getItem(collapsedKey) === "collapsed";
    this.needsModel = openWatched(false);
    this.said = "";
    watch(this, () => {
      if (!this.frame) return [];
      const { address, app, signInProblem } = this.frame;
      return [address.path, app.link.state, app.sessions, app.approvals, app.unread, signInProblem, this.needsModel];
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.pressed);
    addEventListener("click", this.clicked);
    this.narrow.addEventListener("change", this.resized);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.pressed);
    removeEventListener("click", this.clicked);
    this.narrow.removeEventListener("change", this.resized);
  }

  override willUpdate(): void {
    if (!this.frame) return;
    const path = this.frame.address.path.value;
    if (path === this.path) return;
    this.path = path;
    this.route = readRoute(pages, path);
    this.drawer?.close();
  }

  override render(): TemplateResult | typeof nothing {
    const { frame } = this;
    if (!frame) return nothing;
    if (frame.app.link.state.value === "signed-out") return this.renderSignIn(frame);
    return html`${this.isNarrow ? nothing : this.renderAside(frame)}
      <main id="main" tabindex="-1">
        <steward-page-outlet .app=${frame.app} .route=${this.route} @page-shown=${this.pageShown} @open-help=${this.openHelp}></steward-page-outlet>
      </main>
      ${this.isNarrow ? this.renderNarrow(frame) : nothing}
      <div class="banner" role="status">
        ${frame.app.link.state.value === "lost" ? html`<p>${icon("spinner", 16)} Steward is not answering; trying again…</p>` : nothing}
      </div>
      <div class="visually-hidden" aria-live="polite">${this.said}</div>
      <steward-toast-stack .toasts=${frame.toasts} ?below-banner=${frame.app.link.state.value === "lost"}></steward-toast-stack>
      <steward-confirm-dialog .questions=${frame.questions}></steward-confirm-dialog>
      <steward-command-palette></steward-command-palette>
      <steward-keyboard-help></steward-keyboard-help>`;
  }

  override updated(): void {
    const { frame } = this;
    if (!frame) return;
    const isOut = frame.app.link.state.value === "signed-out";
    document.title = isOut ? "Steward" : windowTitle(this.placeName(frame), frame.app.approvals.value.length);
  }

  private renderSignIn(frame: Frame): TemplateResult {
    void import("./sign-in-page.ts");
    return html`<steward-sign-in-page
      .signIn=${frame.signIn}
      .problem=${frame.signInProblem.value}
    ></steward-sign-in-page>`;
  }

  private renderAside(frame: Frame): TemplateResult {
    return html`<aside aria-label="Sidebar">
      <a class="skip button" href="#main" @click=${this.skip}>Skip to the page</a>
      ${this.renderSideBar(frame, this.isCollapsed)}
    </aside>`;
  }

  private renderSideBar(frame: Frame, isCollapsed: boolean): TemplateResult {
    return html`<steward-side-bar
      .app=${frame.app}
      .openPage=${this.route.page?.path}
      .openKey=${openSessionKey(this.route)}
      .isCollapsed=${isCollapsed}
      .isDrawer=${this.isNarrow}
      .needsModel=${this.needsModel.value}
      @toggle-sidebar=${this.toggleSideBar}
      @open-palette=${this.openPalette}
      @new-chat=${this.newChat}
    ></steward-side-bar>`;
  }

  private renderNarrow(frame: Frame): TemplateResult {
    const waiting = frame.app.approvals.value.length;
    return html`<nav class="bottom" aria-label="Main">
        <button class="quiet" @click=${this.openDrawer}>
          ${icon("menu")}<span>Menu</span>
          ${frame.app.unread.value.size > 0 ? html`<b class="news"><span class="visually-hidden">Something new</span></b>` : nothing}
        </button>
        <button class="quiet" @click=${this.newChat}>${icon("plus")}<span>New chat</span></button>
        <a class="button quiet" href="/tasks" aria-current=${this.route.page?.path === "tasks" ? "page" : nothing}>
          ${icon("tasks")}<span>Tasks</span>
        </a>
        <a class="button quiet" href="/inbox" aria-current=${this.route.page?.path === "inbox" ? "page" : nothing}>
          ${icon("inbox")}<span>Inbox</span>
          ${waiting > 0 ? html`<b>${waiting}<span class="visually-hidden"> waiting</span></b>` : nothing}
        </a>
        <button class="quiet" @click=${this.openPalette}>${icon("search")}<span>Find</span></button>
      </nav>
      <dialog class="drawer" aria-label="Menu" @click=${this.clickedDrawer}>${this.renderSideBar(frame, false)}</dialog>`;
  }

  private placeName({ app }: Frame): string {
    const openKey = openSessionKey(this.route);
    const session = app.sessions.value.find((one) => one.sessionKey === openKey);
    if (session) return sessionName(session);
    return this.route.page?.title ?? "No such page";
  }

  // whoever uses a screen reader hears where they are; the first page speaks for itself
  private pageShown(): void {
    const { frame } = this;
    const main = this.renderRoot.querySelector<HTMLElement>("main");
    // a page may have put the cursor where it belongs already
    if (!this.isFirstPage && !main?.matches(":focus-within")) main?.focus({ preventScroll: true });
    if (!this.isFirstPage && frame) this.said = this.placeName(frame);
    main?.scrollTo(0, 0);
    this.isFirstPage = false;
  }

  private skip(event: MouseEvent): void {
    event.preventDefault();
    this.renderRoot.querySelector<HTMLElement>("main")?.focus();
  }

  private readonly clicked = (event: MouseEvent): void => {
    const path = ownPathOf(event, location.origin);
    if (path === undefined || !this.frame) return;
    event.preventDefault();
    this.drawer?.close();
    this.frame.address.go(path);
  };

  private readonly resized = (): void => {
    this.isNarrow = this.narrow.matches;
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    const isSignedIn = this.frame && this.frame.app.link.state.value !== "signed-out";
    const name = event.defaultPrevented || !isSignedIn ? undefined : shortcutOf(event, isTypingIn(event));
    if (!name) return;
    event.preventDefault();
    const run = {
      palette: () => this.openPalette(),
      help: () => this.openHelp(),
      "new-chat": () => this.newChat(),
      search: () => this.openSearch(),
      sidebar: () => this.toggleSideBar(),
    }[name];
    void run();
  };

  private async openPalette(): Promise<void> {
    const { frame } = this;
    if (!frame) return;
    this.drawer?.close();
    const [notifications] = await Promise.all([
      frame.app.notifications.state(),
      import("./palette/command-palette.ts"),
    ]);
    await this.renderRoot
      .querySelector("steward-command-palette")
      ?.open({ frame, notifications, showHelp: () => void this.openHelp() });
  }

  private async openHelp(): Promise<void> {
    await import("./palette/keyboard-help.ts");
    const help = this.renderRoot.querySelector("steward-keyboard-help");
    await help?.updateComplete;
    help?.show();
  }

  private async openSearch(): Promise<void> {
    if (this.isNarrow) this.openDrawer();
    else if (this.isCollapsed) this.toggleSideBar();
    await this.updateComplete;
    const sideBar = this.renderRoot.querySelector("steward-side-bar");
    await sideBar?.updateComplete;
    sideBar?.focusSearch();
  }

  private newChat(): void {
    this.drawer?.close();
    this.frame?.app.go("/");
  }

  private toggleSideBar(): void {
    if (this.isNarrow) {
      this.drawer?.close();
      return;
    }
    this.isCollapsed = !this.isCollapsed;
    localStorage.setItem(collapsedKey, this.isCollapsed ? "collapsed" : "open");
  }

  private openDrawer(): void {
    this.drawer?.showModal();
  }

  private clickedDrawer(event: MouseEvent): void {
    if (event.target === this.drawer) this.drawer?.close();
  }

  private get drawer(): HTMLDialogElement | null {
    return this.renderRoot.querySelector<HTMLDialogElement>("dialog.drawer");
  }
}

customElements.define("steward-app", StewardApp);

declare global {
  interface HTMLElementTagNameMap {
    "steward-app": StewardApp;
  }
}
