import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { type FieldProblem, problemsUnder } from "./check-value.ts";
import { type FieldEdited, tell } from "./field-edited.ts";
import type { Field } from "./field-shape.ts";

/** A list that can be added to and taken from: words as chips, anything larger one below the other. */
export class StewardListEditor extends LitElement {
  static override properties = {
    item: { attribute: false },
    value: { attribute: false },
    problems: { attribute: false },
    label: {},
    locked: { type: Boolean },
  };
  static override styles = [
    controls,
    css`
      :host { display: grid; gap: var(--space-2); }
      ul { display: flex; flex-wrap: wrap; gap: var(--space-1); padding: 0; list-style: none; }
      ul.large { display: grid; gap: var(--space-3); }
      .chip { min-height: 28px; padding-inline: var(--space-3) 2px; font-family: var(--font-code); max-width: 100%; white-space: normal; overflow-wrap: anywhere; border-radius: 14px; }
      .chip.locked { padding-inline-end: var(--space-3); }
      .chip button { min-height: 24px; width: 24px; border-radius: 12px; }
      .entry { display: grid; grid-template-columns: 1fr auto; gap: var(--space-2); align-items: start; padding: var(--space-3); border: 1px solid var(--line); border-radius: var(--radius-m); }
      form { display: flex; gap: var(--space-2); max-width: 360px; }
      @media (pointer: coarse) { .chip button { min-height: 32px; width: 32px; } }
    `,
  ];
  declare item: Field;
  declare value: unknown;
  declare problems: readonly FieldProblem[];
  declare label: string;
  declare locked: boolean;

  override render(): TemplateResult {
    const entries = this.entries();
    const isSmall = this.item.shape.kind === "text" || this.item.shape.kind === "number";
    return html`
      ${entries.length === 0 ? html`<p class="hint">Nothing in the list.</p>` : nothing}
      ${isSmall ? this.renderChips(entries) : this.renderEntries(entries)} ${this.locked ? nothing : isSmall ? this.renderAdd() : this.renderAddEntry()}
    `;
  }

  private renderChips(entries: readonly unknown[]): TemplateResult | typeof nothing {
    if (entries.length === 0) return nothing;
    const told = entries.flatMap((_, index) =>
      problemsUnder(this.problems, String(index)).map((one) => `${entries[index]}: ${one.message}`),
    );
    return html`<ul aria-label=${this.label}>
        ${entries.map((entry, index) => this.renderChip(String(entry), index))}
      </ul>
      ${told.map((problem) => html`<p class="problem" role="alert">${problem}</p>`)}`;
  }

  private renderChip(entry: string, index: number): TemplateResult {
    const isWrong = problemsUnder(this.problems, String(index)).length > 0;
    if (this.locked) return html`<li class="chip locked">${entry}</li>`;
    return html`<li class="chip ${isWrong ? "danger" : ""}">
      ${entry}
      <button class="icon quiet" aria-label="Remove ${entry}" @click=${() => this.takeOut(index)}>${icon("close", 14)}</button>
    </li>`;
  }

  private renderEntries(entries: readonly unknown[]): TemplateResult | typeof nothing {
    if (entries.length === 0) return nothing;
    return html`<ul class="large">
      ${entries.map(
        (entry, index) => html`<li class="entry">
          <steward-schema-field
            .field=${this.item}
            .label=${`${index + 1}`}
            .value=${entry}
            .problems=${problemsUnder(this.problems, String(index))}
            ?locked=${this.locked}
            @edited=${(event: FieldEdited) => tell(this, entries.with(index, event.value))}
          ></steward-schema-field>
          ${this.locked ? nothing : html`<button class="icon quiet" aria-label="Remove entry ${index + 1}" @click=${() => this.takeOut(index)}>${icon("trash", 18)}</button>`}
        </li>`,
      )}
    </ul>`;
  }

  private renderAdd(): TemplateResult {
    return html`<form @submit=${this.add}>
      <input aria-label="Add to ${this.label}" placeholder="Add…" autocomplete="off" autocapitalize="off" spellcheck="false" />
      <button>${icon("plus", 16)} Add</button>
    </form>`;
  }

  private renderAddEntry(): TemplateResult {
    const first = this.item.byDefault ?? (this.item.shape.kind === "group" ? {} : undefined);
    return html`<div><button @click=${() => tell(this, [...this.entries(), first])}>${icon("plus", 16)} Add</button></div>`;
  }

  private add(event: SubmitEvent): void {
    event.preventDefault();
    const input = this.renderRoot.querySelector<HTMLInputElement>("form input");
    const text = input?.value.trim() ?? "";
    if (!input || text === "") return;
    input.value = "";
    const entry = this.item.shape.kind === "number" && !Number.isNaN(Number(text)) ? Number(text) : text;
    const entries = this.entries();
    // the same word twice would mean nothing
    if (!entries.includes(entry)) tell(this, [...entries, entry]);
  }

  private takeOut(index: number): void {
    tell(this, this.entries().toSpliced(index, 1));
    // the button that was pressed is gone: the next thing to do is here
    this.renderRoot.querySelector<HTMLElement>("form input")?.focus();
  }

  private entries(): readonly unknown[] {
    return Array.isArray(this.value) ? this.value : [];
  }
}

customElements.define("steward-list-editor", StewardListEditor);
