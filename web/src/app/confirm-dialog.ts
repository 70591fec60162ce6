import { css, html, LitElement, type TemplateResult } from "lit";
import { watch } from "../state/watch.ts";
import { controls } from "../style/controls.ts";
import type { Questions } from "./questions.ts";

export class StewardConfirmDialog extends LitElement {
  static override properties = { questions: { attribute: false } };
  static override styles = [
    controls,
    css`
      dialog[open] { display: grid; gap: var(--space-3); }
      p { color: var(--ink-soft); text-wrap: pretty; overflow-wrap: anywhere; }
      .row { justify-content: flex-end; margin-top: var(--space-2); }
    `,
  ];
  declare questions: Questions;

  constructor() {
    super();
    watch(this, () => [this.questions.asked]);
  }

  override render(): TemplateResult {
    const question = this.questions.asked.value;
    return html`<dialog aria-labelledby="title" aria-describedby="text" @close=${this.closed} @click=${this.clicked}>
      <h2 id="title">${question?.title}</h2>
      <p id="text">${question?.text}</p>
      <div class="row">
        <button autofocus @click=${() => this.questions.answer(false)}>${question?.no ?? "Cancel"}</button>
        <button class="primary ${question?.tone === "error" ? "danger" : ""}" @click=${() => this.questions.answer(true)}>
          ${question?.yes}
        </button>
      </div>
    </dialog>`;
  }

  override updated(): void {
    const dialog = this.renderRoot.querySelector("dialog");
    const isAsked = this.questions.asked.value !== undefined;
    if (isAsked && !dialog?.open) dialog?.showModal();
    if (!isAsked && dialog?.open) dialog.close();
  }

  private closed(): void {
    if (this.questions.asked.value) this.questions.answer(false);
  }

  // a press on the backdrop is a press on the dialog itself, outside of everything in it
  private clicked(event: MouseEvent): void {
    const dialog = event.currentTarget as HTMLDialogElement;
    if (event.target !== dialog) return;
    const box = dialog.getBoundingClientRect();
    const isInside =
      event.clientX >= box.left &&
      event.clientX <= box.right &&
      event.clientY >= box.top &&
      event.clientY <= box.bottom;
    if (!isInside) this.questions.answer(false);
  }
}

customElements.define("steward-confirm-dialog", StewardConfirmDialog);
