import { css, html, LitElement, type TemplateResult } from "lit";
import { controls } from "../../style/controls.ts";
import { tell } from "./field-edited.ts";

/** For values that no other control fits. */
export class StewardJsonEditor extends LitElement {
  static override properties = {
    value: { attribute: false },
    label: {},
    locked: { type: Boolean },
    written: { state: true },
  };
  static override styles = [
    controls,
    css`
      textarea { font-family: var(--font-code); font-size: var(--text-s); field-sizing: content; max-height: 50vh; }
    `,
  ];
  declare value: unknown;
  declare label: string;
  declare locked: boolean;
  /** What was typed and is no JSON yet. */
  declare written: string | undefined;

  override render(): TemplateResult {
    const text = this.written ?? (this.value === undefined ? "" : JSON.stringify(this.value, null, 2));
    return html`<textarea
      aria-label="${this.label}, as JSON"
      spellcheck="false"
      autocapitalize="off"
      ?readonly=${this.locked}
      .value=${text}
      @input=${this.edited}
    ></textarea>
    <p class="problem" role="alert" ?hidden=${this.written === undefined || this.written.trim() === ""}>
      This is not readable as JSON yet.
    </p>`;
  }

  private edited(event: Event): void {
    const text = (event.target as HTMLTextAreaElement).value;
    try {
      const value: unknown = JSON.parse(text);
      this.written = undefined;
      tell(this, value);
    } catch {
      // half-written JSON is the usual state while typing; the line below the box says so
      this.written = text;
      tell(this, undefined);
    }
  }
}

customElements.define("steward-json-editor", StewardJsonEditor);
