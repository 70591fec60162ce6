import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import type { App } from "../../app/app.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import type { ChannelName } from "../../words.ts";
import { openSaving } from "./saving.ts";
import { stepStyles } from "./step-styles.ts";

/** Sends one line there and tells what became of it. Tells `tested` when it has arrived. */
export class StewardTestMessage extends LitElement {
  static override properties = {
    app: { attribute: false },
    channel: { attribute: false },
    result: { state: true },
  };
  static override styles = [
    controls,
    stepStyles,
    css`
      :host { display: block; }
      .result { display: flex; gap: var(--space-2); font-size: var(--text-s); overflow-wrap: anywhere; }
      .result svg { margin-top: 2px; }
    `,
  ];
  declare app: App;
  declare channel: ChannelName;
  declare result: MethodResult<"channels.test"> | undefined;
  private readonly saving = openSaving(this);

  override render(): TemplateResult {
    const { saving, result } = this;
    return html`<div class="body">
      <div class="row">
        <button ?disabled=${saving.isBusy} @click=${this.send}>
          ${icon(saving.isBusy ? "spinner" : "send", 16)} ${saving.isBusy ? "Sending…" : "Send a test message"}
        </button>
      </div>
      <div role="status">
        ${
          result
            ? html`<p class="result ${result.ok ? "good-text" : "danger-text"}">
              ${icon(result.ok ? "check" : "warning", 16)}<span>${result.detail || (result.ok ? "It has arrived." : "It did not arrive.")}</span>
            </p>`
            : nothing
        }
        ${saving.problem === undefined ? nothing : html`<p class="problem">${saving.problem}</p>`}
      </div>
    </div>`;
  }

  private async send(): Promise<void> {
    this.result = undefined;
    await this.saving.run(async () => {
      const result = await this.app.link.call("channels.test", { channel: this.channel });
      this.result = result;
      if (result.ok) this.dispatchEvent(new Event("tested"));
    });
  }
}

customElements.define("steward-test-message", StewardTestMessage);
