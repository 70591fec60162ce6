// When, in words; below it what they mean, as they are typed.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { App } from "../../app/app.ts";
import { browserTimers } from "../../gateway/timers.ts";
import { watch } from "../../state/watch.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { browserZone } from "../task-words.ts";
import { formatNext, showSameClock } from "../time-words.ts";
import { type Meaning, openWhenPreview, type WhenPreview } from "./when-preview.ts";

const suggestions = ["in 20 minutes", "tomorrow at 9", "every weekday at 9", "every hour"] as const;

/** Tells `typed` with the words. */
export class StewardWhenField extends LitElement {
  static override properties = {
    app: { attribute: false },
    value: { attribute: false },
    timeZone: { attribute: false },
    asked: { attribute: false },
    problem: { attribute: false },
  };
  static override styles = [
    controls,
    css`
      :host { display: grid; gap: var(--space-2); }
      .chips { display: flex; flex-wrap: wrap; gap: var(--space-2); }
      .chips button { min-height: 30px; padding: 0 var(--space-3); border-radius: 15px; font-weight: 400; color: var(--ink-soft); }
      .meaning { display: grid; gap: var(--space-1); padding: var(--space-3); font-size: var(--text-s); background: var(--sunken); border-radius: var(--radius-m); }
      .meaning.wrong { color: var(--danger); background: var(--danger-soft); }
      .meaning strong { display: flex; gap: var(--space-2); font-weight: 550; overflow-wrap: anywhere; }
      .meaning svg { margin-top: 2px; }
      .right svg { color: var(--good); }
      ol { padding: 0 0 0 calc(16px + var(--space-2)); list-style: none; color: var(--ink-soft); font-variant-numeric: tabular-nums; }
      .zone { padding-inline-start: calc(16px + var(--space-2)); color: var(--ink-faint); }
      @media (pointer: coarse) { .chips button { min-height: 44px; border-radius: 22px; } }
    `,
  ];
  declare app: App;
  declare value: string;
  declare timeZone: string;
  /** What is asked in the place of `value`: a schedule that stands needs no words to be understood. */
  declare asked: string | undefined;
  declare problem: string | undefined;
  private preview: WhenPreview | undefined;

  constructor() {
    super();
    this.value = "";
    this.timeZone = "";
    watch(this, () => (this.preview ? [this.preview.meaning] : []));
  }

  override willUpdate(changed: PropertyValues<this>): void {
    this.preview ??= openWhenPreview(this.app.link, browserTimers);
    if (changed.has("value") || changed.has("timeZone")) this.preview.ask(this.asked ?? this.value, this.timeZone);
  }

  /** Whether what stands there is known to be no time. */
  get isWrong(): boolean {
    const meaning = this.preview?.meaning.value;
    return meaning?.kind === "told" && !meaning.ok;
  }

  override focus(): void {
    this.renderRoot.querySelector("input")?.focus();
  }

  override render(): TemplateResult {
    const meaning = this.preview?.meaning.value ?? { kind: "nothing asked" };
    return html`<div class="field">
        <label for="when">When</label>
        <input
          id="when"
          maxlength="500"
          autocomplete="off"
          placeholder="Such as: tomorrow at 9, every Monday at 8, in two hours"
          aria-invalid=${this.problem !== undefined || this.isWrong ? "true" : "false"}
          aria-describedby="problem meaning"
          .value=${this.value}
          @input=${this.typed}
        />
        <p class="problem" id="problem" role="alert" ?hidden=${!this.problem}>${this.problem}</p>
      </div>
      ${this.value.trim() === "" ? this.renderSuggestions() : nothing}
      <div id="meaning" role="status">${this.renderMeaning(meaning)}</div>`;
  }

  private renderSuggestions(): TemplateResult {
    return html`<div class="chips" role="group" aria-label="Suggestions">
      ${suggestions.map((words) => html`<button type="button" @click=${() => this.choose(words)}>${words}</button>`)}
    </div>`;
  }

  private renderMeaning(meaning: Meaning): TemplateResult | typeof nothing {
    if (meaning.kind !== "told") return nothing;
    const { ok, words, nextAtMs, timeZone } = meaning;
    if (!ok)
      return html`<div class="meaning wrong"><strong>${icon("warning", 16)} <span>${words}</span></strong></div>`;
    const isHere = timeZone === undefined || showSameClock(timeZone, browserZone, Date.now());
    return html`<div class="meaning right">
      <strong>${icon("check", 16)} <span>${words}</span></strong>
      ${
        // the words of one moment say it already, unless this browser's clock shows another hour
        nextAtMs.length === 1 && isHere
          ? nothing
          : html`<ol aria-label="Next times">
              ${nextAtMs.map((at) => html`<li>${formatNext(at, Date.now())}</li>`)}
            </ol>`
      }
      ${
        // the words are meant where the owner is, the times are told where this browser is
        isHere
          ? nothing
          : html`<p class="zone">The words are meant in ${timeZone}; the times are those of this device (${browserZone}).</p>`
      }
    </div>`;
  }

  private choose(words: string): void {
    this.tell(words);
    this.focus();
  }

  private typed(event: InputEvent): void {
    this.tell((event.target as HTMLInputElement).value);
  }

  private tell(words: string): void {
    this.dispatchEvent(new CustomEvent("typed", { detail: words }));
  }
}

customElements.define("steward-when-field", StewardWhenField);

declare global {
  interface HTMLElementTagNameMap {
    "steward-when-field": StewardWhenField;
  }
}
