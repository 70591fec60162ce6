import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { Scope } from "../../../src/contract/wire/access.ts";
import type { App } from "../app/app.ts";
import { watch } from "../state/watch.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { isBackground, sessionName } from "../words.ts";
import { scopeMeanings, scopeNames } from "./access-words.ts";
import { failureWords } from "./loading.ts";
import "./shown-once.ts";

const scopes = Object.keys(scopeNames) as readonly Scope[];

/** Makes a token for a program and shows it this once. Tells `created`. */
export class StewardTokenForm extends LitElement {
  static override properties = {
    app: { attribute: false },
    scope: { state: true },
    made: { state: true },
    problem: { state: true },
    busy: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: block; }
      details { border: 1px solid var(--line); border-radius: var(--radius-l); background: var(--surface); }
      summary { padding: var(--space-3) var(--space-4); font-size: var(--text-s); font-weight: 550; }
      form, .made { display: grid; gap: var(--space-3); padding: 0 var(--space-4) var(--space-4); }
      .two { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: var(--space-3); }
    `,
  ];
  declare app: App;
  declare scope: Scope;
  declare made: { name: string; token: string } | undefined;
  declare problem: string | undefined;
  declare busy: boolean;

  constructor() {
    super();
    this.scope = "read";
    this.busy = false;
    watch(this, () => [this.app.sessions]);
  }

  override render(): TemplateResult {
    return html`<details>
      <summary>New token for a program</summary>
      ${this.made ? this.renderMade(this.made) : this.renderForm()}
    </details>`;
  }

  private renderMade(made: { name: string; token: string }): TemplateResult {
    return html`<div class="made">
      <steward-shown-once
        label="Token of ${made.name}"
        .text=${made.token}
        note="Copy it now: it is not shown again, only a fingerprint of it is kept."
      ></steward-shown-once>
      <div>
        <button
          @click=${() => {
            this.made = undefined;
          }}
        >
          Done
        </button>
      </div>
    </div>`;
  }

  private renderForm(): TemplateResult {
    return html`<form @submit=${this.create}>
      <div class="two">
        <div class="field">
          <label for="name">Name</label>
          <input id="name" name="name" required maxlength="80" placeholder="Such as: home dashboard" autocomplete="off" />
        </div>
        <div class="field">
          <label for="expiry">Runs out</label>
          <select id="expiry" name="expiry">
            <option value="30">after 30 days</option>
            <option value="365">after a year</option>
            <option value="1">after a day</option>
            <option value="">never</option>
          </select>
        </div>
      </div>
      <div class="field">
        <label for="scope">What it may do</label>
        <select
          id="scope"
          @change=${(event: Event) => {
            this.scope = (event.target as HTMLSelectElement).value as Scope;
          }}
        >
          ${scopes.toReversed().map((scope) => html`<option value=${scope} ?selected=${scope === this.scope}>${scopeNames[scope]}</option>`)}
        </select>
        <p class="hint">${scopeMeanings[this.scope]}</p>
      </div>
      ${this.scope === "task" ? this.renderConversation() : nothing}
      <p class="problem" role="alert" ?hidden=${!this.problem}>${this.problem}</p>
      <div><button class="primary" ?disabled=${this.busy}>${icon("key", 16)} Make the token</button></div>
    </form>`;
  }

  private renderConversation(): TemplateResult {
    const sessions = this.app.sessions.value.filter(({ sessionKey }) => !isBackground(sessionKey));
    return html`<div class="field">
      <label for="session">Which conversation</label>
      <select id="session" name="session">
        ${sessions.map((session) => html`<option value=${session.sessionKey}>${sessionName(session)}</option>`)}
      </select>
      <p class="hint" ?hidden=${sessions.length > 0}>There is no conversation yet.</p>
    </div>`;
  }

  private async create(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    const name = String(fields.get("name") ?? "").trim();
    const days = Number(fields.get("expiry"));
    const sessionKey = String(fields.get("session") ?? "");
    if (name === "" || (this.scope === "task" && sessionKey === "")) {
      this.problem = name === "" ? "Give it a name, so that you know it again." : "Choose a conversation first.";
      return;
    }
    this.busy = true;
    this.problem = undefined;
    try {
      const { token, record } = await this.app.link.call("access.create", {
        name,
        scope: this.scope,
        ...(this.scope === "task" && { sessionKey }),
        ...(days > 0 && { expiresAfterDays: days }),
      });
      this.made = { name: record.name, token };
      this.dispatchEvent(new Event("created"));
    } catch (error) {
      this.problem = failureWords(error);
    }
    this.busy = false;
  }
}

customElements.define("steward-token-form", StewardTokenForm);
