// The generated form of every setting: search, edit, check, save, apply.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { SettingProblem } from "../../../src/contract/wire/methods/settings.ts";
import type { App } from "../app/app.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import {
  listSettings,
  type Setting,
  type SettingsAnswer,
  type SettingsSection,
  searchSettings,
} from "./list-settings.ts";
import { failureWords } from "./loading.ts";
import type { FieldEdited } from "./schema-form/field-edited.ts";
import {
  currentValue,
  type Draft,
  isDefault,
  isInUse,
  listChanges,
  problemsOf,
  rebase,
  toSave,
  withEdit,
} from "./settings-draft.ts";
import "./apply-bar.ts";
import "./save-bar.ts";
import "./schema-form/schema-field.ts";

const keptAs = "settings";

export class StewardSettingsForm extends LitElement {
  static override properties = {
    app: { attribute: false },
    answer: { attribute: false },
    query: {},
    draft: { state: true },
    told: { state: true },
    saving: { state: true },
    conflict: { state: true },
    failure: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-5); min-width: 0; }
      section { scroll-margin-top: var(--space-4); }
      section > p { margin-top: 2px; color: var(--ink-soft); font-size: var(--text-s); }
      .settings { margin-top: var(--space-3); padding: 0; }
      .setting { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2); padding: var(--space-4); }
      .setting + .setting { border-top: 1px solid var(--line); }
      details > div { margin: 0 calc(-1 * var(--space-4)) calc(-1 * var(--space-4)); }
      details > div > :first-child { margin-top: var(--space-3); border-top: 1px solid var(--line); }
      summary { display: flex; align-items: center; gap: var(--space-1); font-size: var(--text-s); font-weight: 550; color: var(--ink-soft); list-style: none; cursor: pointer; }
      summary::-webkit-details-marker { display: none; }
      details[open] summary svg { transform: rotate(90deg); }
      @media (pointer: coarse) { summary { min-height: 44px; } }
      .marks { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2); }
      /* the name of a variable may be longer than a phone is wide */
      .marks .chip { white-space: normal; overflow-wrap: anywhere; min-width: 0; }
      .marks button { min-height: 28px; padding: 0 var(--space-2); }
    `,
  ];
  declare app: App;
  declare answer: SettingsAnswer;
  declare query: string;
  declare draft: Draft;
  /** What the gateway said of values that have not been changed since. */
  declare told: readonly SettingProblem[];
  declare saving: boolean;
  declare conflict: string | undefined;
  declare failure: string | undefined;
  /** Sections of which the advanced settings are unfolded. */
  private readonly opened = new Set<string>();

  constructor() {
    super();
    this.query = "";
    this.draft = new Map();
    this.told = [];
    this.saving = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.draft = this.app.unsaved.get(keptAs) ?? this.draft;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.draft.size === 0) return;
    const what =
      this.draft.size === 1 ? "One change to the settings is" : `${this.draft.size} changes to the settings are`;
    const action = { label: "Go back", run: () => this.app.go("/settings") };
    this.app.say(`${what} not saved yet.`, { tone: "warning", action });
  }

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("answer")) this.draft = rebase(this.draft, this.settings());
    if (this.draft.size > 0) this.app.unsaved.set(keptAs, this.draft);
    else this.app.unsaved.delete(keptAs);
  }

  override render(): TemplateResult {
    const sections = searchSettings(listSettings(this.answer), this.query);
    const settings = this.settings();
    const wrong = settings.filter(
      (one) => this.draft.has(one.key) && problemsOf(this.draft, one, this.told).length > 0,
    );
    return html`
      ${
        this.answer.pending.length > 0
          ? html`<steward-apply-bar .app=${this.app} .keys=${this.answer.pending} @applied=${this.reload}></steward-apply-bar>`
          : nothing
      }
      ${sections.length === 0 ? html`<p class="muted">No setting fits these words.</p>` : nothing}
      ${repeat(
        sections,
        (section) => section.name,
        (section) => this.renderSection(section, settings),
      )}
      <steward-save-bar
        .changes=${listChanges(this.draft, settings)}
        .problems=${wrong.length}
        ?saving=${this.saving}
        .conflict=${this.conflict}
        .failure=${this.failure}
        @save=${this.save}
        @discard=${this.discard}
        @reload=${this.reload}
      ></steward-save-bar>
    `;
  }

  private renderSection(section: SettingsSection, settings: readonly Setting[]): TemplateResult {
    const shown = section.settings.filter((setting) => this.isShown(setting, settings));
    // whoever looks for one by its name need not unfold anything
    const isFolded = (setting: Setting) => setting.isAdvanced && this.query.trim() === "";
    const folded = shown.filter(isFolded);
    return html`<section id=${section.name} aria-labelledby="${section.name}-title">
      <h2 id="${section.name}-title">${section.title}</h2>
      ${section.description ? html`<p>${section.description}</p>` : nothing}
      <div class="card settings">
        ${this.renderList(shown.filter((setting) => !isFolded(setting)))}
        ${folded.length === 0 ? nothing : this.renderAdvanced(section.name, folded)}
      </div>
    </section>`;
  }

  private renderAdvanced(name: string, settings: readonly Setting[]): TemplateResult {
    const isOpen = this.opened.has(name) || settings.some(({ key }) => this.draft.has(key));
    const toggled = ({ target }: Event) => {
      if ((target as HTMLDetailsElement).open) this.opened.add(name);
      else this.opened.delete(name);
    };
    return html`<details class="setting" ?open=${isOpen} @toggle=${toggled}>
      <summary>${icon("chevron", 14)} Advanced</summary>
      <div>${this.renderList(settings)}</div>
    </details>`;
  }

  private renderList(settings: readonly Setting[]): unknown {
    return repeat(
      settings,
      (setting) => setting.key,
      (setting) => this.renderSetting(setting),
    );
  }

  private isShown(setting: Setting, settings: readonly Setting[]): boolean {
    // whoever looks for one by its name finds it wherever it belongs
    return this.query.trim() !== "" || isInUse(this.draft, setting, settings);
  }

  private renderSetting(setting: Setting): TemplateResult {
    const value = currentValue(this.draft, setting);
    const isLocked = setting.decidedBy !== undefined;
    return html`<div class="setting" data-key=${setting.key}>
      <steward-schema-field
        .field=${setting.field}
        .name=${setting.key.slice(setting.key.lastIndexOf(".") + 1)}
        .label=${setting.label}
        .value=${value}
        .problems=${problemsOf(this.draft, setting, this.told)}
        ?locked=${isLocked}
        side
        @edited=${(event: FieldEdited) => this.edit(setting, event.value)}
      ></steward-schema-field>
      ${this.renderMarks(setting, value)}
    </div>`;
  }

  private renderMarks(setting: Setting, value: unknown): TemplateResult | typeof nothing {
    const isDraft = this.draft.has(setting.key);
    const mayReset = setting.decidedBy === undefined && !isDefault(setting, value);
    if (!isDraft && !mayReset && !setting.isPending && setting.decidedBy === undefined) return nothing;
    const reset = () => this.edit(setting, setting.field.byDefault);
    return html`<div class="marks">
      ${setting.decidedBy === undefined ? nothing : html`<span class="chip">Decided by the variable ${setting.decidedBy}</span>`}
      ${isDraft ? html`<span class="chip warning">Not saved</span>` : nothing}
      ${setting.isPending ? html`<span class="chip accent">Saved, not in use yet</span>` : nothing}
      ${mayReset ? html`<button class="quiet" aria-label="Reset ${setting.label} to its default" @click=${reset}>${icon("undo", 14)} Reset</button>` : nothing}
    </div>`;
  }

  private settings(): Setting[] {
    return listSettings(this.answer).flatMap((section) => section.settings);
  }

  private edit(setting: Setting, value: unknown): void {
    this.draft = withEdit(this.draft, setting, value);
    this.told = this.told.filter(({ key }) => key !== setting.key && !key.startsWith(`${setting.key}.`));
    this.failure = undefined;
  }

  private discard(): void {
    this.draft = new Map();
    this.told = [];
    this.conflict = undefined;
    this.failure = undefined;
  }

  private reload(): void {
    this.conflict = undefined;
    this.dispatchEvent(new Event("reload"));
  }

  private async save(): Promise<void> {
    this.saving = true;
    this.failure = undefined;
    try {
      const { revision } = this.answer;
      const result = await this.app.link.call("settings.set", {
        revision,
        changes: toSave(this.draft, this.settings()),
      });
      this.told = result.problems;
      if (result.saved) this.saved();
      else if (result.problems.length === 0) this.conflict = "The settings were changed meanwhile.";
      else this.failure = this.strayProblems(result.problems);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "conflict") this.conflict = error.message;
      else this.failure = failureWords(error);
    }
    this.saving = false;
  }

  private saved(): void {
    this.draft = new Map();
    this.app.say("Saved.", { tone: "good" });
    this.reload();
  }

  // a problem that belongs to no field that is shown must not get lost
  private strayProblems(problems: readonly SettingProblem[]): string | undefined {
    const keys = this.settings().map((setting) => setting.key);
    const stray = problems.filter(({ key }) => !keys.some((known) => key === known || key.startsWith(`${known}.`)));
    return stray.length === 0 ? undefined : stray.map(({ key, message }) => `${key}: ${message}`).join(" ");
  }
}

customElements.define("steward-settings-form", StewardSettingsForm);
