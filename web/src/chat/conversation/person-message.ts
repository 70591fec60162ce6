// What a person said, with the ways to copy it and to say something else instead.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import "./attachments.ts";
import type { PersonItem } from "../../../../src/contract/conversation/conversation.ts";
import { bubble } from "./bubble-styles.ts";
import "./copy-button.ts";

export class StewardPersonMessage extends LitElement {
  static override properties = {
    item: { attribute: false },
    isWaiting: { attribute: false },
    setsAside: { attribute: false },
    reword: { attribute: false },
    isEditing: { state: true },
  };
  static override styles = [
    controls,
    bubble,
    css`
      :host { display: grid; justify-items: end; gap: var(--space-1); }
      .from { font-size: var(--text-xs); font-weight: 600; color: var(--ink-soft); }
      .below { display: flex; align-items: center; gap: var(--space-1); min-height: 28px; }
      .below { color: var(--ink-soft); }
      .below > :is(button, steward-copy-button) { opacity: 0; }
      .below button { width: 28px; min-height: 28px; }
      :host(:hover) .below > *, :host(:focus-within) .below > * { opacity: 1; }
      @media (hover: none) {
        .below button { width: 44px; min-height: 44px; }
        .below > :is(button, steward-copy-button) { opacity: 1; }
      }
      .waiting { display: inline-flex; align-items: center; gap: var(--space-1); font-size: var(--text-xs); color: var(--ink-faint); }
      steward-attachments { justify-content: flex-end; max-width: 85%; }
      form { width: 100%; display: grid; gap: var(--space-2); margin-bottom: var(--space-4); }
      textarea { min-height: 88px; field-sizing: content; max-height: 50dvh; border-radius: var(--radius-l); padding: var(--space-3) var(--space-4); }
      form .row { justify-content: flex-end; }
      form .hint { flex: 1; min-width: 12ch; }
    `,
  ];
  declare item: PersonItem;
  /** No turn has taken it yet. */
  declare isWaiting: boolean;
  /** What saying something else instead does to what came after, in words. */
  declare setsAside: (item: PersonItem) => string | undefined;
  declare reword: (item: PersonItem, text: string) => void;
  declare isEditing: boolean;

  constructor() {
    super();
    this.isWaiting = false;
    this.isEditing = false;
  }

  async edit(): Promise<void> {
    this.isEditing = true;
    await this.updateComplete;
    const field = this.renderRoot.querySelector("textarea");
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }

  override render(): TemplateResult {
    const { item } = this;
    return html`${item.from === undefined ? nothing : html`<span class="from">${item.from}</span>`}
    ${
      item.attachments.length > 0
        ? html`<steward-attachments .attachments=${item.attachments}></steward-attachments>`
        : nothing
    }
    ${this.isEditing ? this.renderForm() : this.renderMessage()}`;
  }

  private renderMessage(): TemplateResult {
    const { item } = this;
    return html`${item.text === "" ? nothing : html`<div class="bubble">${item.text}</div>`}
      <div class="below">
        ${
          this.isWaiting
            ? html`<span class="waiting">${icon("clock", 13)} Waiting: Steward reads it after the step it is at</span>`
            : html`<steward-copy-button label="Copy message" .text=${() => item.text}></steward-copy-button>${
                item.from === undefined
                  ? html`<button class="quiet icon" aria-label="Edit message" title="Say something else instead" @click=${this.edit}>
                        ${icon("edit", 15)}
                      </button>`
                  : nothing
              }`
        }
      </div>`;
  }

  private renderForm(): TemplateResult {
    const setAside = this.setsAside(this.item);
    return html`<form @submit=${this.submit} @keydown=${this.pressed}>
      <textarea aria-label="Say this instead" .value=${this.item.text}></textarea>
      <div class="row">
        <span class="hint">${setAside ? `${setAside} when you send this.` : ""}</span>
        <button type="button" class="quiet" @click=${this.cancel}>Cancel</button>
        <button class="primary">Send</button>
      </div>
    </form>`;
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      event.stopPropagation();
      this.cancel();
    } else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      this.submit(event);
    }
  }

  private submit(event: Event): void {
    event.preventDefault();
    const text = this.renderRoot.querySelector("textarea")?.value.trim() ?? "";
    if (text === "" && this.item.attachments.length === 0) return;
    this.isEditing = false;
    this.reword(this.item, text);
  }

  private cancel(): void {
    this.isEditing = false;
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>('[aria-label="Edit message"]')?.focus(),
    );
  }
}

customElements.define("steward-person-message", StewardPersonMessage);
