import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import type { Change } from "./settings-draft.ts";

/** Stays at the lower edge while something is not saved: what changes from what to what, save, discard. */
export class StewardSaveBar extends LitElement {
  static override properties = {
    changes: { attribute: false },
    problems: { type: Number },
    saving: { type: Boolean },
    conflict: {},
    failure: {},
  };
  static override styles = [
    controls,
    css`
      :host { position: sticky; bottom: 0; z-index: 2; display: block; padding-bottom: var(--space-3); }
      .card { display: grid; gap: var(--space-2); padding: var(--space-3) var(--space-4); box-shadow: var(--shadow-2); }
      .head { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2); }
      .head > strong { flex: 1; font-size: var(--text-s); font-weight: 550; }
      details { font-size: var(--text-s); }
      ul { display: grid; gap: var(--space-1); max-height: 30vh; margin-top: var(--space-2); padding: 0; overflow: auto; list-style: none; }
      li { overflow-wrap: anywhere; }
      del { color: var(--ink-faint); }
      ins { color: var(--good); text-decoration: none; }
      .conflict { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2); font-size: var(--text-s); color: var(--warning); }
      .conflict span { flex: 1 1 240px; }
    `,
  ];
  declare changes: readonly Change[];
  declare problems: number;
  declare saving: boolean;
  /** Why the gateway would not take the changes, when loading anew may help. */
  declare conflict: string | undefined;
  declare failure: string | undefined;

  override render(): TemplateResult | typeof nothing {
    if (this.changes.length === 0) return nothing;
    return html`<section class="card" aria-label="Changes that are not saved">
      ${this.conflict ? this.renderConflict() : nothing}
      <div class="head">
        <strong role="status">${this.heading()}</strong>
        <button class="quiet" ?disabled=${this.saving} @click=${() => this.tell("discard")}>Discard</button>
        <button class="primary" ?disabled=${this.saving || this.conflict !== undefined || this.problems > 0} @click=${() => this.tell("save")}>
          ${this.saving ? icon("spinner", 16) : icon("check", 16)} Save
        </button>
      </div>
      <details ?open=${this.changes.length <= 2}>
        <summary>What changes</summary>
        <ul tabindex="0" aria-label="What changes">
          ${this.changes.map((change) => html`<li><strong>${change.label}</strong>: ${renderChange(change)}</li>`)}
        </ul>
      </details>
      ${this.failure ? html`<p class="problem" role="alert">${this.failure}</p>` : nothing}
    </section>`;
  }

  private renderConflict(): TemplateResult {
    return html`<p class="conflict" role="alert">
      <span>${this.conflict} Your own changes stay here until you save or discard them.</span>
      <button @click=${() => this.tell("reload")}>${icon("retry", 16)} Load anew</button>
    </p>`;
  }

  private heading(): string {
    const count = this.changes.length === 1 ? "One change" : `${this.changes.length} changes`;
    return this.problems > 0 ? `${count}, not all of them right yet` : `${count} not saved`;
  }

  private tell(wish: "save" | "discard" | "reload"): void {
    this.dispatchEvent(new Event(wish));
  }
}

function renderChange(change: Change): TemplateResult {
  if ("words" in change) return html`<ins>${change.words}</ins>`;
  return html`<del>${change.before}</del> <span aria-hidden="true">→</span> <ins>${change.after}</ins>`;
}

customElements.define("steward-save-bar", StewardSaveBar);
