import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { App } from "../app/app.ts";
import { watch } from "../state/watch.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { sessionName } from "../words.ts";
import { type ActivityFilter, filterPath, isFiltered } from "./activity-filter.ts";
import { type ActivityKind, activityKinds, kindNames } from "./describe/event-kinds.ts";

const typingPauseMs = 350;

/** What is shown, chosen by hand; every choice is an address, so that going back works. */
export class StewardActivityFilters extends LitElement {
  static override properties = { app: { attribute: false }, filter: { attribute: false } };
  static override styles = [
    controls,
    css`
      :host { display: grid; gap: var(--space-3); }
      .kinds { display: flex; flex-wrap: wrap; gap: var(--space-2); }
      .kinds button { min-height: 32px; padding: 0 var(--space-3); border-radius: 16px; }
      .kinds button[aria-pressed="true"] { color: var(--accent); background: var(--accent-soft); border-color: var(--accent); }
      .fields { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) auto; gap: var(--space-2) var(--space-3); align-items: center; }
      .search { position: relative; }
      .search svg { position: absolute; top: 50%; left: var(--space-3); translate: 0 -50%; color: var(--ink-faint); pointer-events: none; }
      .search input { padding-left: 38px !important; }
      .steps { display: flex; align-items: center; gap: var(--space-2); min-height: 38px; font-size: var(--text-s); white-space: nowrap; }
      @media (max-width: 720px) { .fields { grid-template-columns: minmax(0, 1fr); } }
    `,
  ];
  declare app: App;
  declare filter: ActivityFilter;
  private typing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    watch(this, () => [this.app.sessions]);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.typing);
  }

  override render(): TemplateResult {
    const { filter } = this;
    return html`
      <div class="kinds" role="group" aria-label="Kinds">
        <button aria-pressed=${filter.kinds.length === 0} @click=${() => this.go({ kinds: [] })}>All</button>
        ${activityKinds.map((kind) => html`<button aria-pressed=${filter.kinds.includes(kind)} @click=${() => this.toggle(kind)}>${kindNames[kind]}</button>`)}
        ${isFiltered(filter) ? html`<a class="button quiet" href="/activity">Clear</a>` : nothing}
      </div>
      <div class="fields">
        <div class="search">
          ${icon("search", 18)}
          <input type="search" aria-label="Words in it" placeholder="Words in it" maxlength="200" .value=${filter.text} @input=${this.typed} @change=${this.typedOut} />
        </div>
        <select aria-label="Conversation" @change=${(event: Event) => this.go({ sessionKey: (event.target as HTMLSelectElement).value || undefined })}>
          <option value="" ?selected=${filter.sessionKey === undefined}>Every conversation</option>
          ${this.renderConversations()}
        </select>
        <label class="steps">
          <input type="checkbox" role="switch" .checked=${filter.smallSteps} @change=${(event: Event) => this.go({ smallSteps: (event.target as HTMLInputElement).checked })} />
          Every step
        </label>
      </div>
    `;
  }

  private renderConversations(): TemplateResult {
    const { sessionKey } = this.filter;
    const sessions = this.app.sessions.value;
    const isListed = sessionKey === undefined || sessions.some((session) => session.sessionKey === sessionKey);
    return html`${isListed ? nothing : html`<option value=${sessionKey} selected>Another conversation</option>`}
    ${sessions.map((session) => html`<option value=${session.sessionKey} ?selected=${session.sessionKey === sessionKey}>${sessionName(session)}</option>`)}`;
  }

  private toggle(kind: ActivityKind): void {
    const { kinds } = this.filter;
    this.go({ kinds: kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind] });
  }

  private typed(event: Event): void {
    const text = (event.target as HTMLInputElement).value;
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.go({ text }), typingPauseMs);
  }

  private typedOut(event: Event): void {
    clearTimeout(this.typing);
    this.go({ text: (event.target as HTMLInputElement).value });
  }

  private go(change: Partial<ActivityFilter>): void {
    const next = filterPath({ ...this.filter, ...change });
    if (next !== filterPath(this.filter)) this.app.go(next);
  }
}

customElements.define("steward-activity-filters", StewardActivityFilters);
