import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";

/** A secret on the only occasion on which it is shown, with a way to take it along. */
export class StewardShownOnce extends LitElement {
  static override properties = { label: {}, text: {}, note: {}, copied: { state: true } };
  static override styles = [
    controls,
    css`
      :host { display: grid; gap: var(--space-1); min-width: 0; }
      .label { font-size: var(--text-s); font-weight: 550; }
      .box { display: flex; gap: var(--space-2); align-items: start; min-width: 0; }
      .well { flex: 1; min-width: 0; margin: 0; user-select: all; }
      @media (max-width: 520px) { .box { display: grid; grid-template-columns: minmax(0, 1fr); } .box button { justify-self: start; } }
    `,
  ];
  declare label: string;
  declare text: string;
  declare note: string | undefined;
  declare copied: "yes" | "no" | undefined;

  override render(): TemplateResult {
    return html`<span class="label" id="label">${this.label}</span>
      <div class="box">
        <pre class="well" tabindex="0" role="group" aria-labelledby="label">${this.text}</pre>
        <button aria-label="Copy ${this.label}" @click=${this.copy}>
          ${icon(this.copied === "yes" ? "check" : "copy", 16)}<span>${this.copied === "yes" ? "Copied" : "Copy"}</span>
        </button>
      </div>
      ${this.note ? html`<p class="hint">${this.note}</p>` : nothing}
      <p class="problem" role="status" ?hidden=${this.copied !== "no"}>
        The browser does not allow copying here: select the text and copy it by hand.
      </p>`;
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.text);
      this.copied = "yes";
    } catch {
      // some browsers allow it on secure pages only; the line below says what to do
      this.copied = "no";
    }
  }
}

customElements.define("steward-shown-once", StewardShownOnce);
