import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { type FieldProblem, isRecord, problemsUnder } from "./check-value.ts";
import { type FieldEdited, tell } from "./field-edited.ts";
import type { Field } from "./field-shape.ts";
import { formatValue } from "./field-words.ts";

/** Names with a value each; the value's own form opens under its name. */
export class StewardRecordEditor extends LitElement {
  static override properties = {
    entry: { attribute: false },
    value: { attribute: false },
    problems: { attribute: false },
    label: {},
    locked: { type: Boolean },
    opened: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: grid; gap: var(--space-2); }
      ul { display: grid; gap: var(--space-2); padding: 0; list-style: none; }
      details { border: 1px solid var(--line); border-radius: var(--radius-m); background: var(--surface); }
      summary { padding: var(--space-2) var(--space-3); font-size: var(--text-s); overflow-wrap: anywhere; }
      summary code { font-weight: 550; }
      .body { display: grid; gap: var(--space-3); padding: 0 var(--space-3) var(--space-3); }
      form { display: flex; gap: var(--space-2); max-width: 360px; }
    `,
  ];
  declare entry: Field;
  declare value: unknown;
  declare problems: readonly FieldProblem[];
  declare label: string;
  declare locked: boolean;
  /** The entry that was added last: it is open at once. */
  declare opened: string | undefined;

  override render(): TemplateResult {
    const values = this.values();
    const entries = Object.entries(values);
    return html`
      ${
        entries.length === 0
          ? html`<p class="hint">Nothing here.</p>`
          : html`<ul>
        ${repeat(
          entries,
          ([name]) => name,
          ([name, value]) => this.renderEntry(name, value),
        )}
      </ul>`
      }
      ${
        this.locked
          ? nothing
          : html`<form @submit=${this.add}>
            <input aria-label="Name to add to ${this.label}" placeholder="Name…" autocomplete="off" autocapitalize="off" spellcheck="false" />
            <button>${icon("plus", 16)} Add</button>
          </form>`
      }
    `;
  }

  private renderEntry(name: string, value: unknown): TemplateResult {
    const problems = problemsUnder(this.problems, name);
    return html`<li>
      <details ?open=${this.opened === name || problems.length > 0}>
        <summary><code>${name}</code> <span class="muted">${formatValue(value)}</span></summary>
        <div class="body">
          <steward-schema-field
            .field=${this.entry}
            .name=${name}
            .label=${name}
            .value=${value}
            .problems=${problems}
            ?locked=${this.locked}
            @edited=${(event: FieldEdited) => tell(this, { ...this.values(), [name]: event.value })}
          ></steward-schema-field>
          ${this.locked ? nothing : html`<div><button class="danger" @click=${() => this.takeOut(name)}>${icon("trash", 16)} Remove ${name}</button></div>`}
        </div>
      </details>
    </li>`;
  }

  private add(event: SubmitEvent): void {
    event.preventDefault();
    const input = this.renderRoot.querySelector<HTMLInputElement>("form input");
    const name = input?.value.trim() ?? "";
    if (!input || name === "") return;
    input.value = "";
    this.opened = name;
    if (!Object.hasOwn(this.values(), name)) tell(this, { ...this.values(), [name]: this.firstValue() });
  }

  private firstValue(): unknown {
    const { shape, byDefault } = this.entry;
    if (byDefault !== undefined) return byDefault;
    if (shape.kind === "choice") return shape.options[0];
    if (shape.kind === "switch") return false;
    return shape.kind === "group" || shape.kind === "record" ? {} : "";
  }

  private takeOut(name: string): void {
    const { [name]: _, ...others } = this.values();
    tell(this, others);
    this.renderRoot.querySelector<HTMLElement>("form input")?.focus();
  }

  private values(): Record<string, unknown> {
    return isRecord(this.value) ? this.value : {};
  }
}

customElements.define("steward-record-editor", StewardRecordEditor);
