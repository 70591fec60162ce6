// Settings and access on one page; /settings/guard goes to that section.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { App } from "../app/app.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { listSettings, type SettingsAnswer } from "./list-settings.ts";
import { failedNotice, type Loading, load, loading } from "./loading.ts";
import "./access-section.ts";
import "./settings-form.ts";

export class StewardSettingsPage extends LitElement {
  static override properties = {
    app: { attribute: false },
    route: { attribute: false },
    answer: { state: true },
    query: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: block; }
      .page { max-width: 1040px; }
      .columns { display: grid; grid-template-columns: 176px minmax(0, 1fr); gap: var(--space-6); align-items: start; }
      nav { position: sticky; top: var(--space-4); }
      nav ul { display: grid; gap: 2px; padding: 0; list-style: none; }
      nav a { display: block; padding: 6px var(--space-3); font-size: var(--text-s); color: var(--ink-soft); text-decoration: none; border-radius: var(--radius-s); }
      nav a:hover { color: var(--ink); background: var(--sunken); }
      nav a[aria-current] { color: var(--accent); background: var(--accent-soft); font-weight: 550; }
      nav li.apart { margin-top: var(--space-2); padding-top: var(--space-2); border-top: 1px solid var(--line); }
      .search { position: relative; margin-bottom: var(--space-4); }
      .search svg { position: absolute; top: 50%; left: var(--space-3); translate: 0 -50%; color: var(--ink-faint); pointer-events: none; }
      .search input { padding-left: 38px !important; }
      .model { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-3); margin-bottom: var(--space-4); }
      .model strong { color: var(--ink); }
      .model p { flex: 1 1 240px; font-size: var(--text-s); color: var(--ink-soft); }
      .below { display: grid; gap: var(--space-6); margin-top: var(--space-6); }
      .bone { height: 148px; margin-bottom: var(--space-4); background: var(--sunken); border-color: transparent; }
      code { overflow-wrap: anywhere; }
      @media (max-width: 860px) {
        .columns { grid-template-columns: minmax(0, 1fr); gap: var(--space-4); }
        nav { position: static; }
        nav ul { display: flex; flex-wrap: wrap; }
        nav li.apart { margin: 0; padding: 0; border: 0; }
        nav a { padding: 8px var(--space-2); }
      }
    `,
  ];
  declare app: App;
  declare route: readonly string[];
  declare answer: Loading<SettingsAnswer>;
  declare query: string;
  private scrolledTo: string | undefined;

  constructor() {
    super();
    this.answer = loading;
    this.query = "";
    this.route = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.reload();
  }

  override updated(): void {
    const wanted = this.route[0];
    if (wanted === undefined || wanted === this.scrolledTo || this.answer.state !== "ready") return;
    this.scrolledTo = wanted;
    void this.showSection(wanted);
  }

  override render(): TemplateResult {
    return html`<div class="page">
      <header>
        <h1>Settings</h1>
        <p>${this.answer.state === "ready" ? html`Kept in <code>${this.answer.value.path}</code>` : "How Steward works."}</p>
      </header>
      <div class="columns">
        <nav aria-label="Sections">${this.renderSections()}</nav>
        <div>
          <div class="card model">
            <p><strong>Model</strong><br />Connect a provider, a key or a server of your own, and try it before it is used.</p>
            <a class="button" href="/setup">${icon("setup", 16)} Set up a model</a>
          </div>
          ${this.renderForm()}
          <div class="below">
            <steward-access-section id="access" .app=${this.app}></steward-access-section>
          </div>
        </div>
      </div>
    </div>`;
  }

  private renderSections(): TemplateResult {
    const sections = this.answer.state === "ready" ? listSettings(this.answer.value) : [];
    const link = (name: string, title: string, isApart = false) => html`<li class=${isApart ? "apart" : ""}>
      <a href="/settings/${name}" aria-current=${this.route[0] === name ? "true" : nothing}>${title}</a>
    </li>`;
    return html`<ul>
      ${sections.map((section) => link(section.name, section.title))} ${link("access", "Access", true)}
    </ul>`;
  }

  private renderForm(): TemplateResult {
    const { answer } = this;
    if (answer.state === "failed") return failedNotice(answer.message, () => void this.reload());
    return html`<div class="search">
        ${icon("search", 18)}
        <input
          type="search"
          aria-label="Search settings"
          placeholder="Search settings"
          .value=${this.query}
          @input=${(event: InputEvent) => {
            this.query = (event.target as HTMLInputElement).value;
          }}
        />
      </div>
      ${
        answer.state === "loading"
          ? html`<div aria-busy="true" aria-label="Loading settings" role="status">${[1, 2, 3].map(() => html`<div class="card bone"></div>`)}</div>`
          : html`<steward-settings-form
            .app=${this.app}
            .answer=${answer.value}
            .query=${this.query}
            @reload=${this.reload}
          ></steward-settings-form>`
      }`;
  }

  private async reload(): Promise<void> {
    const answer = await load(() => this.app.link.call("settings.get", {}));
    // what is shown stays when only the reloading failed
    if (answer.state === "failed" && this.answer.state === "ready") this.app.say(answer.message, { tone: "error" });
    else this.answer = answer;
  }

  private async showSection(name: string): Promise<void> {
    const form = this.renderRoot.querySelector<LitElement>("steward-settings-form");
    await form?.updateComplete;
    const section =
      this.renderRoot.querySelector(`#${CSS.escape(name)}`) ?? form?.renderRoot.querySelector(`#${CSS.escape(name)}`);
    section?.scrollIntoView({ block: "start" });
  }
}

customElements.define("steward-settings-page", StewardSettingsPage);
