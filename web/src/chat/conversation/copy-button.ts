import { css, html, LitElement, type TemplateResult } from "lit";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";

const shownForMs = 1600;

/** Copies what `text` gives and says so on itself. */
export class StewardCopyButton extends LitElement {
  static override properties = {
    text: { attribute: false },
    label: {},
    outcome: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: inline-flex; }
      button { min-width: 28px; min-height: 28px; padding: 0 6px; gap: var(--space-1); font-size: var(--text-xs); color: inherit; }
      @media (hover: none) { button { min-width: 44px; min-height: 44px; } }
    `,
  ];
  declare text: () => string;
  declare label: string;
  declare outcome: "copied" | "refused" | undefined;

  override render(): TemplateResult {
    const words = this.outcome === "refused" ? "The browser does not let this page copy" : "";
    return html`<button type="button" class="quiet" aria-label=${this.label} title=${words || "Copy"} @click=${this.copy}>
        ${icon(this.outcome === "copied" ? "check" : this.outcome === "refused" ? "close" : "copy", 15)}
      </button>
      <span class="visually-hidden" role="status">${this.outcome === "copied" ? "Copied" : words}</span>`;
  }

  private async copy(): Promise<void> {
    this.outcome = (await copyText(this.text())) ? "copied" : "refused";
    setTimeout(() => {
      this.outcome = undefined;
    }, shownForMs);
  }
}

/** False when the browser does not let a page copy. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // the clipboard is kept from pages that come over plain HTTP from another machine; the old way still works there
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  return isCopied;
}

customElements.define("steward-copy-button", StewardCopyButton);
