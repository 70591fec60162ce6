// Beside a task that was just made: notifications, as long as this browser was neither allowed nor refused them.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { App } from "../../app/app.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";

const declinedKey = "steward.notifications-declined";

export class StewardNotifyOffer extends LitElement {
  static override properties = { app: { attribute: false }, isShown: { state: true } };
  static override styles = [
    controls,
    css`
      p { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2); padding: var(--space-2) var(--space-3); font-size: var(--text-s); color: var(--ink-soft); background: var(--accent-soft); border-radius: var(--radius-m); }
      span { flex: 1 1 260px; }
      svg { color: var(--accent); }
    `,
  ];
  declare app: App;
  declare isShown: boolean;

  constructor() {
    super();
    this.isShown = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.look();
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.isShown) return nothing;
    return html`<p>
      ${icon("bell", 18)}<span>Allow notifications, so that it reaches you when this page is closed.</span>
      <button @click=${this.allow}>Allow</button><button class="quiet" @click=${this.decline}>Not now</button>
    </p>`;
  }

  private async look(): Promise<void> {
    if (localStorage.getItem(declinedKey)) return;
    const isOff = (await this.app.notifications.state()) === "off";
    // whoever has turned them off again has been asked once
    this.isShown = isOff && Notification.permission === "default";
  }

  private async allow(): Promise<void> {
    this.isShown = false;
    const { ok, text } = await this.app.notifications.allow();
    this.app.say(text, { tone: ok ? "good" : "warning" });
  }

  private decline(): void {
    this.isShown = false;
    localStorage.setItem(declinedKey, "yes");
  }
}

customElements.define("steward-notify-offer", StewardNotifyOffer);
