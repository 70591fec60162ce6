// Shows the page that the address names. The old page stays until the new one is there, so nothing flashes.
import { css, html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { watch } from "../state/watch.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import type { App, Page } from "./app.ts";
import type { Route } from "./route.ts";

type PageElement = HTMLElement & { app: App; route: readonly string[] };

export class StewardPageOutlet extends LitElement {
  static override properties = {
    app: { attribute: false },
    route: { attribute: false },
    shown: { state: true },
    failed: { state: true },
  };
  static override styles = [
    controls,
    css`:host { display: block; height: 100%; } h1 { font-size: var(--text-l); color: var(--ink); }`,
  ];
  declare app: App;
  declare route: Route;
  declare shown: PageElement | undefined;
  declare failed: Page | undefined;
  private wasOpen = false;

  constructor() {
    super();
    watch(this, () => [this.app.link.state]);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    const isOpen = this.app.link.state.value === "open";
    const isBack = isOpen && !this.wasOpen;
    this.wasOpen = isOpen;
    if (changed.has("route") || (isBack && this.failed)) void this.open(this.route);
  }

  override render(): TemplateResult {
    if (!this.route.page) return this.renderNowhere();
    if (this.failed) return this.renderFailed(this.failed);
    return html`${this.shown}`;
  }

  private async open(route: Route): Promise<void> {
    const { page } = route;
    if (!page) {
      this.shown = undefined;
      this.announce();
      return;
    }
    try {
      if (!customElements.get(page.tag)) await page.load();
    } catch {
      // its file is gone because a newer Steward is running, or nobody answers: both are said on the page
      if (route === this.route) this.failed = page;
      return;
    }
    // somebody has gone on meanwhile
    if (route !== this.route) return;
    this.failed = undefined;
    this.show(page, route.rest);
  }

  private show(page: Page, rest: readonly string[]): void {
    const isSame = this.shown?.localName === page.tag;
    const element = isSame && this.shown ? this.shown : (document.createElement(page.tag) as PageElement);
    element.app = this.app;
    element.route = rest;
    this.shown = element;
    if (!isSame) this.announce();
  }

  private announce(): void {
    void this.updateComplete.then(() => this.dispatchEvent(new CustomEvent("page-shown")));
  }

  private renderNowhere(): TemplateResult {
    return html`<div class="empty">
      ${icon("search")}
      <h1>There is no page here</h1>
      <p>The address may have been mistyped, or the page has moved.</p>
      <a class="button" href="/">Go to the chat</a>
    </div>`;
  }

  private renderFailed(page: Page): TemplateResult {
    return html`<div class="empty" role="alert">
      ${icon("warning")}
      <h1>${page.title} could not be opened</h1>
      <p>Steward may have been updated, or it is not running. Loading the page anew uses what is there now.</p>
      <button class="primary" @click=${() => location.reload()}>Load again</button>
    </div>`;
  }
}

customElements.define("steward-page-outlet", StewardPageOutlet);
