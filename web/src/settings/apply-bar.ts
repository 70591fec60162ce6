import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { App } from "../app/app.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { applySettings } from "./apply-settings.ts";
import { failureWords } from "./loading.ts";

/** Says that saved settings are not in use yet and offers to start anew with them. Tells `applied` when it is done. */
export class StewardApplyBar extends LitElement {
  static override properties = {
    app: { attribute: false },
    keys: { attribute: false },
    state: { state: true },
    problem: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: block; }
      .bar { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-4); padding: var(--space-3) var(--space-4); border-color: transparent; background: var(--accent-soft); }
      p { flex: 1 1 260px; font-size: var(--text-s); }
      .problem { flex-basis: 100%; }
    `,
  ];
  declare app: App;
  declare keys: readonly string[];
  declare state: "waiting" | "applying";
  declare problem: string | undefined;

  constructor() {
    super();
    this.keys = [];
    this.state = "waiting";
  }

  override render(): TemplateResult | typeof nothing {
    if (this.keys.length === 0 && this.state === "waiting") return nothing;
    const isApplying = this.state === "applying";
    const what = this.keys.length === 1 ? "One saved setting is" : `${this.keys.length} saved settings are`;
    return html`<div class="card bar" role="status">
      <p>
        ${
          isApplying
            ? "Starting anew with the saved settings. The connection breaks for a moment and comes back by itself."
            : `${what} not in use yet. Work that is under way goes on afterwards.`
        }
      </p>
      <button class="primary" ?disabled=${isApplying} @click=${this.apply}>
        ${isApplying ? icon("spinner", 16) : icon("retry", 16)} ${isApplying ? "Applying…" : "Apply now"}
      </button>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
    </div>`;
  }

  private async apply(): Promise<void> {
    this.state = "applying";
    this.problem = undefined;
    try {
      if (await applySettings(this.app.link)) {
        this.app.say("The settings are in use now.", { tone: "good" });
        this.dispatchEvent(new Event("applied"));
      } else this.problem = "Steward has not come back yet. Look at the terminal in which it runs.";
    } catch (error) {
      this.problem = failureWords(error);
    }
    this.state = "waiting";
  }
}

customElements.define("steward-apply-bar", StewardApplyBar);
