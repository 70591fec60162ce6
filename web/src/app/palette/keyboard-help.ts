import { css, html, LitElement, type TemplateResult } from "lit";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { otherKeys, shortcuts } from "./shortcuts.ts";

export class StewardKeyboardHelp extends LitElement {
  static override styles = [
    controls,
    css`
      header { display: flex; align-items: center; justify-content: space-between; margin-bottom: var(--space-3); }
      h3 { margin: var(--space-4) 0 var(--space-1); font-size: var(--text-s); color: var(--ink-faint); }
      dl > div { display: flex; flex-direction: row-reverse; justify-content: space-between; padding: var(--space-1) 0; }
    `,
  ];

  show(): void {
    this.renderRoot.querySelector("dialog")?.showModal();
  }

  override render(): TemplateResult {
    const all = shortcuts.map(({ keys, about }) => [keys, about] as const);
    return html`<dialog aria-labelledby="title">
      <header>
        <h2 id="title">Keyboard</h2>
        <button class="quiet icon" aria-label="Close" @click=${this.close}>${icon("close")}</button>
      </header>
      ${this.renderKeys(all)}
      ${otherKeys.map(({ place, keys }) => html`<h3>${place}</h3>${this.renderKeys(keys)}`)}
    </dialog>`;
  }

  private renderKeys(keys: readonly (readonly [string, string])[]): TemplateResult {
    return html`<dl>
      ${keys.map(
        ([names, about]) =>
          html`<div><dt>${names.split(" ").map((name) => html`<kbd>${name}</kbd> `)}</dt><dd>${about}</dd></div>`,
      )}
    </dl>`;
  }

  private close(): void {
    this.renderRoot.querySelector("dialog")?.close();
  }
}

customElements.define("steward-keyboard-help", StewardKeyboardHelp);

declare global {
  interface HTMLElementTagNameMap {
    "steward-keyboard-help": StewardKeyboardHelp;
  }
}
