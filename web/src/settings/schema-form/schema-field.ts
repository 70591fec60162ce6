// One field of a generated form: its label, the control that fits its shape, its hint and its problem.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { controls } from "../../style/controls.ts";
import { type FieldProblem, isRecord, problemsUnder } from "./check-value.ts";
import { type FieldEdited, tell } from "./field-edited.ts";
import type { Field, NamedField, Shape } from "./field-shape.ts";
import {
  type DescriptionWords,
  isLongName,
  isSecretName,
  labelFor,
  optionName,
  readDescription,
} from "./field-words.ts";
import "./json-editor.ts";
import "./list-editor.ts";
import "./record-editor.ts";

export class StewardSchemaField extends LitElement {
  static override properties = {
    field: { attribute: false },
    name: {},
    label: {},
    value: { attribute: false },
    problems: { attribute: false },
    locked: { type: Boolean },
    optional: { type: Boolean },
  };
  static override styles = [
    controls,
    css`
      :host { display: block; }
      .switch { display: flex; align-items: start; gap: var(--space-3); }
      .switch > div { flex: 1; display: grid; gap: var(--space-1); }
      .switch label { font-size: var(--text-s); font-weight: 550; }
      .number { max-width: 220px; }
      .choice { max-width: 360px; }
      .hint, .problem { overflow-wrap: anywhere; text-wrap: pretty; }
      textarea { min-height: 38px; field-sizing: content; max-height: 40vh; }
      fieldset { display: grid; gap: var(--space-3); min-width: 0; margin: 0; padding: 0; border: 0; }
      legend { padding: 0; margin-bottom: var(--space-1); font-size: var(--text-s); font-weight: 550; }
      .inner { display: grid; gap: var(--space-3); padding-inline-start: var(--space-3); border-inline-start: 2px solid var(--line); }
      :host([side]) { container-type: inline-size; }
      @container (min-width: 560px) {
        :host([side]) .field { grid-template-columns: minmax(0, 1fr) 280px; column-gap: var(--space-5); }
        :host([side]) .field > :is(label, .hint, .problem) { grid-column: 1; }
        :host([side]) .field > :is(input, select, textarea) { grid-area: 1 / 2 / span 2; align-self: start; max-width: none; }
      }
      @media (max-width: 520px) { .number, .choice { max-width: none; } }
    `,
  ];
  declare field: Field;
  declare name: string;
  declare label: string;
  declare value: unknown;
  declare problems: readonly FieldProblem[];
  declare locked: boolean;
  /** Whether it may be left out altogether, as an argument of a tool may. */
  declare optional: boolean;

  constructor() {
    super();
    this.name = "";
    this.label = "";
    this.problems = [];
    this.locked = false;
    this.optional = false;
  }

  override render(): TemplateResult {
    const { shape } = this.field;
    const options = shape.kind === "choice" ? shape.options : [];
    const words = readDescription(this.field.description, options);
    switch (shape.kind) {
      case "switch":
        return this.renderSwitch(words);
      case "number":
      case "text":
        return this.framed(words, this.renderInput(shape, words));
      case "choice":
        return this.framed(words, this.renderChoice(shape, words));
      default:
        return this.renderCompound(shape, words);
    }
  }

  private renderSwitch(words: DescriptionWords): TemplateResult {
    return html`<div class="switch">
      <div>
        <label for="control">${this.label}</label>
        ${this.hint(words.text)} ${this.problem()}
      </div>
      <input
        id="control"
        type="checkbox"
        role="switch"
        .checked=${this.value === true}
        ?disabled=${this.locked}
        aria-describedby="hint problem"
        @change=${(event: Event) => this.edited((event.target as HTMLInputElement).checked)}
      />
    </div>`;
  }

  private framed(words: DescriptionWords, control: TemplateResult): TemplateResult {
    const empty = words.whenEmpty ? `Empty: ${words.whenEmpty}.` : "";
    return html`<div class="field">
      <label for="control">${this.label}${this.optional ? html` <span class="muted">(optional)</span>` : nothing}</label>
      ${control} ${this.hint([words.text, this.meaning(words), empty].filter(Boolean).join(" "))} ${this.problem()}
    </div>`;
  }

  // what the chosen option means, where the description says so
  private meaning(words: DescriptionWords): string {
    const said = typeof this.value === "string" ? words.options[this.value] : undefined;
    return said === undefined ? "" : `${optionName(String(this.value))}: ${said}`;
  }

  private renderInput(shape: Extract<Shape, { kind: "number" | "text" }>, words: DescriptionWords): TemplateResult {
    const isNumber = shape.kind === "number";
    const text = this.value === null || this.value === undefined ? "" : String(this.value);
    const placeholder = words.whenEmpty === undefined ? "" : words.whenEmpty.length <= 24 ? words.whenEmpty : "Not set";
    if (!isNumber && isLongName(this.name))
      return html`<textarea
        id="control"
        rows="1"
        .value=${text}
        ?readonly=${this.locked}
        aria-invalid=${this.hasProblem()}
        aria-describedby="hint problem"
        spellcheck="false"
        @input=${this.editedText}
      ></textarea>`;
    return html`<input
      id="control"
      class=${isNumber ? "number" : ""}
      type=${isSecretName(this.name) ? "password" : "text"}
      inputmode=${isNumber ? "decimal" : "text"}
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      placeholder=${placeholder}
      .value=${text}
      ?readonly=${this.locked}
      aria-invalid=${this.hasProblem()}
      aria-describedby="hint problem"
      @input=${isNumber ? this.editedNumber : this.editedText}
    />`;
  }

  private renderChoice(shape: Extract<Shape, { kind: "choice" }>, words: DescriptionWords): TemplateResult {
    const mayBeEmpty = this.field.nullable || this.optional;
    const empty = words.whenEmpty ? `None: ${words.whenEmpty}` : "Not set";
    return html`<select
      id="control"
      class="choice"
      ?disabled=${this.locked}
      aria-invalid=${this.hasProblem()}
      aria-describedby="hint problem"
      @change=${(event: Event) => this.edited((event.target as HTMLSelectElement).value || this.nothingGiven())}
    >
      ${mayBeEmpty ? html`<option value="" ?selected=${this.value == null}>${empty}</option>` : nothing}
      ${shape.options.map((option) => html`<option value=${option} ?selected=${this.value === option}>${optionName(option)}</option>`)}
    </select>`;
  }

  private renderCompound(shape: Shape, words: DescriptionWords): TemplateResult {
    return html`<fieldset aria-describedby="hint problem">
      <legend>${this.label}</legend>
      ${this.hint(words.text)} ${this.renderParts(shape)} ${this.problem()}
    </fieldset>`;
  }

  private renderParts(shape: Shape): TemplateResult | typeof nothing {
    const { value, problems, locked, label } = this;
    const edited = (event: FieldEdited) => this.edited(event.value);
    switch (shape.kind) {
      case "list":
        return html`<steward-list-editor .item=${shape.item} .value=${value} .problems=${problems} .label=${label} ?locked=${locked} @edited=${edited}></steward-list-editor>`;
      case "record":
        return html`<steward-record-editor .entry=${shape.entry} .value=${value} .problems=${problems} .label=${label} ?locked=${locked} @edited=${edited}></steward-record-editor>`;
      case "group":
        return html`<div class="inner">${shape.fields.map((field) => this.renderInner(field))}</div>`;
      case "json":
        return html`<steward-json-editor .value=${value} .label=${label} ?locked=${locked} @edited=${edited}></steward-json-editor>`;
      default:
        return nothing;
    }
  }

  private renderInner(field: NamedField): TemplateResult {
    const values = isRecord(this.value) ? this.value : {};
    return html`<steward-schema-field
      .field=${field}
      .name=${field.name}
      .label=${labelFor(field.name)}
      .value=${values[field.name]}
      .problems=${problemsUnder(this.problems, field.name)}
      ?locked=${this.locked}
      ?optional=${!field.required}
      @edited=${(event: FieldEdited) => {
        const { [field.name]: _, ...others } = values;
        this.edited(event.value === undefined ? others : { ...others, [field.name]: event.value });
      }}
    ></steward-schema-field>`;
  }

  private hint(text: string): TemplateResult | typeof nothing {
    return text === "" ? nothing : html`<p id="hint" class="hint">${text}</p>`;
  }

  // only what concerns the whole of it: the rest stands beside the part it is about
  private problem(): TemplateResult | typeof nothing {
    const own = this.problems.filter((problem) => problem.path === "");
    return own.length === 0
      ? nothing
      : html`<p id="problem" class="problem" role="alert">${own.map((problem) => problem.message).join(" ")}</p>`;
  }

  private hasProblem(): "true" | "false" {
    return this.problems.some((problem) => problem.path === "") ? "true" : "false";
  }

  private nothingGiven(): null | undefined | "" {
    if (this.field.nullable) return null;
    return this.optional ? undefined : "";
  }

  private editedText(event: Event): void {
    const text = (event.target as HTMLInputElement).value;
    this.edited(text === "" ? this.nothingGiven() : text);
  }

  // what is no number is kept as it was typed, and told to be none
  private editedNumber(event: Event): void {
    const text = (event.target as HTMLInputElement).value.trim();
    const number = Number(text);
    this.edited(text === "" ? this.nothingGiven() : Number.isNaN(number) ? text : number);
  }

  private edited(value: unknown): void {
    tell(this, value);
  }
}

customElements.define("steward-schema-field", StewardSchemaField);
