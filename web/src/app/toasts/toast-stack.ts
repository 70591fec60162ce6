import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { watch } from "../../state/watch.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import type { Toast, Toasts } from "./toasts.ts";

export class StewardToastStack extends LitElement {
  static override properties = { toasts: { attribute: false } };
  static override styles = [
    controls,
    css`
      :host { display: contents; }
      div[popover] {
        inset: var(--space-4) 0 auto 0; width: fit-content; max-width: min(520px, calc(100vw - 2 * var(--space-4)));
        margin: 0 auto; padding: 0; overflow: visible; border: 0; background: none; color: var(--ink);
      }
      /* what is wrong with the connection stands above them and stays to be read */
      :host([below-banner]) div[popover] { top: 64px; }
      ul { display: grid; gap: var(--space-2); padding: 0; list-style: none; }
      li {
        display: flex; align-items: center; gap: var(--space-3); padding: var(--space-2) var(--space-2) var(--space-2) var(--space-4);
        background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-m); box-shadow: var(--shadow-2);
        font-size: var(--text-s); animation: sink var(--calm) ease-out;
      }
      li > svg { width: 18px; }
      .good > svg { color: var(--good); }
      .warning > svg { color: var(--warning); }
      .error > svg { color: var(--danger); }
      span { overflow-wrap: anywhere; }
      b { display: block; font-weight: 600; }
      @keyframes sink { from { opacity: 0; transform: translateY(-8px); } }
    `,
  ];
  declare toasts: Toasts;

  constructor() {
    super();
    watch(this, () => [this.toasts.shown]);
  }

  override render(): TemplateResult {
    return html`<div
      popover="manual"
      role="status"
      @pointerenter=${() => this.toasts.hold(true)}
      @pointerleave=${() => this.toasts.hold(false)}
      @focusin=${() => this.toasts.hold(true)}
      @focusout=${() => this.toasts.hold(false)}
    >
      <ul>
        ${repeat(
          this.toasts.shown.value,
          (toast) => toast.id,
          (toast) => this.renderToast(toast),
        )}
      </ul>
    </div>`;
  }

  // shown anew each time, so that a dialog opened meanwhile does not lie above it
  override updated(): void {
    const layer = this.renderRoot.querySelector<HTMLElement>("[popover]");
    const isEmpty = this.toasts.shown.value.length === 0;
    // whoever is about to press a button here keeps their place
    if (!isEmpty && this.shadowRoot?.activeElement) return;
    if (layer?.matches(":popover-open")) layer.hidePopover();
    if (!isEmpty) layer?.showPopover();
    // what is gone is pointed at by nobody
    if (isEmpty) this.toasts.hold(false);
  }

  private renderToast(toast: Toast): TemplateResult {
    const { action } = toast;
    const sign = { quiet: nothing, good: icon("check"), warning: icon("warning"), error: icon("warning") }[toast.tone];
    const act = () => {
      this.toasts.remove(toast.id);
      action?.run();
    };
    return html`<li class=${toast.tone}>
      ${sign}<span class="grow">${toast.title ? html`<b>${toast.title}</b>` : nothing}${toast.text}</span>
      ${action ? html`<button @click=${act}>${action.label}</button>` : nothing}
      <button class="quiet icon" aria-label="Close" @click=${() => this.toasts.remove(toast.id)}>${icon("close", 16)}</button>
    </li>`;
  }
}

customElements.define("steward-toast-stack", StewardToastStack);
