// Webhooks: addresses at which other programs can wake Steward.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { MethodResult } from "../../../src/contract/wire/method.ts";
import type { Hook } from "../../../src/contract/wire/methods/hooks.ts";
import { formatAgo } from "../../../src/contract/words/amounts.ts";
import type { App } from "../app/app.ts";
import { watch } from "../state/watch.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { hookExample } from "./hook-example.ts";
import { failedNotice, failureWords, type Loading, load, loading } from "./loading.ts";
import "./shown-once.ts";

type MadeHook = MethodResult<"hooks.create">;

export class StewardHooksSection extends LitElement {
  static override properties = {
    app: { attribute: false },
    hooks: { state: true },
    made: { state: true },
    problem: { state: true },
    busy: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: grid; gap: var(--space-3); scroll-margin-top: var(--space-4); }
      header p { margin-top: 2px; color: var(--ink-soft); font-size: var(--text-s); }
      ul.card { padding: 0; list-style: none; }
      li { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: var(--space-3); align-items: center; padding: var(--space-3) var(--space-4); }
      li + li { border-top: 1px solid var(--line); }
      li > svg { color: var(--ink-faint); }
      .name { font-weight: 550; font-size: var(--text-s); overflow-wrap: anywhere; }
      .prompt { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; overflow-wrap: anywhere; }
      details { border: 1px solid var(--line); border-radius: var(--radius-l); background: var(--surface); }
      summary { padding: var(--space-3) var(--space-4); font-size: var(--text-s); font-weight: 550; }
      form, .made { display: grid; gap: var(--space-3); padding: 0 var(--space-4) var(--space-4); }
      .switch { display: flex; align-items: start; gap: var(--space-3); }
      .switch > div { flex: 1; }
      .switch label { font-size: var(--text-s); font-weight: 550; }
      @media (max-width: 520px) {
        li { grid-template-columns: auto minmax(0, 1fr); }
        li > button { grid-column: 2; justify-self: start; }
      }
      .bone { height: 72px; background: var(--sunken); border-color: transparent; }
    `,
  ];
  declare app: App;
  declare hooks: Loading<readonly Hook[]>;
  declare made: MadeHook | undefined;
  declare problem: string | undefined;
  declare busy: boolean;

  constructor() {
    super();
    this.hooks = loading;
    this.busy = false;
    watch(this, () => [this.app.sessions]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.reload();
  }

  override render(): TemplateResult {
    return html`
      <header>
        <h2>Webhooks</h2>
        <p>Addresses at which other programs can tell Steward something. What comes in is treated as a stranger's words.</p>
      </header>
      ${this.renderHooks()}
      <details ?open=${this.made !== undefined}>
        <summary>New webhook</summary>
        ${this.made ? this.renderMade(this.made) : this.renderForm()}
      </details>
    `;
  }

  private renderHooks(): TemplateResult | typeof nothing {
    const { hooks } = this;
    if (hooks.state === "loading")
      return html`<div class="card bone" role="status" aria-busy="true" aria-label="Loading"></div>`;
    if (hooks.state === "failed") return failedNotice(hooks.message, () => void this.reload());
    if (hooks.value.length === 0) return html`<p class="hint">There are none yet.</p>`;
    return html`<ul class="card">
      ${hooks.value.map(
        (hook) => html`<li>
          ${icon("link")}
          <div>
            <span class="name">${hook.name}</span>
            <p class="hint prompt">${hook.prompt || "Steward decides what to do with what comes in."}</p>
            <p class="hint">Made ${formatAgo(hook.createdAtMs, Date.now())}${this.renderConversation(hook)}</p>
          </div>
          <button class="danger" aria-label="Remove the webhook ${hook.name}" @click=${() => this.removeHook(hook)}>Remove</button>
        </li>`,
      )}
    </ul>`;
  }

  // before the first request there is no conversation to look at
  private renderConversation(hook: Hook): TemplateResult {
    const isThere = this.app.sessions.value.some((session) => session.sessionKey === hook.sessionKey);
    return isThere ? html` · <a href="/chat/${hook.sessionKey}">What came in</a>` : html`, nothing has come in yet`;
  }

  private renderForm(): TemplateResult {
    return html`<form @submit=${this.create}>
      <div class="field">
        <label for="name">Name</label>
        <input id="name" name="name" required maxlength="80" placeholder="Such as: new invoice" autocomplete="off" />
      </div>
      <div class="field">
        <label for="prompt">What Steward should do with what comes in</label>
        <textarea id="prompt" name="prompt" maxlength="4000" rows="2" placeholder="Such as: tell me who it is from and what it costs"></textarea>
      </div>
      <div class="switch">
        <div>
          <label for="signed">Only signed requests</label>
          <p class="hint">The sender proves by a secret that it is the one (Standard Webhooks). Off: whoever knows the address can send.</p>
        </div>
        <input id="signed" name="signed" type="checkbox" role="switch" checked />
      </div>
      <p class="problem" role="alert" ?hidden=${!this.problem}>${this.problem}</p>
      <div><button class="primary" ?disabled=${this.busy}>${icon("plus", 16)} Make the webhook</button></div>
    </form>`;
  }

  private renderMade(made: MadeHook): TemplateResult {
    const address = new URL(made.path, location.origin).href;
    return html`<div class="made">
      <steward-shown-once label="Address" .text=${address} note="Copy it now: it is not shown again."></steward-shown-once>
      ${made.secret ? html`<steward-shown-once label="Secret" .text=${made.secret}></steward-shown-once>` : nothing}
      <steward-shown-once label="To try it in a terminal" .text=${hookExample({ address, secret: made.secret })}></steward-shown-once>
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

  private async reload(): Promise<void> {
    this.hooks = await load(async () => (await this.app.link.call("hooks.list", {})).hooks);
  }

  private async create(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    const name = String(fields.get("name") ?? "").trim();
    const prompt = String(fields.get("prompt") ?? "").trim();
    this.problem = name === "" ? "Give it a name, so that you know it again." : undefined;
    if (name === "") return;
    this.busy = true;
    try {
      this.made = await this.app.link.call("hooks.create", { name, prompt, signed: fields.get("signed") !== null });
      await this.reload();
    } catch (error) {
      this.problem = failureWords(error);
    }
    this.busy = false;
  }

  private async removeHook(hook: Hook): Promise<void> {
    const text = "Whoever sends to its address is turned away from now on.";
    if (!(await this.app.confirm({ title: `Remove the webhook ${hook.name}?`, text, yes: "Remove", tone: "error" })))
      return;
    try {
      await this.app.link.call("hooks.remove", { id: hook.id });
    } catch (error) {
      this.app.say(failureWords(error), { tone: "error" });
    }
    await this.reload();
  }
}

customElements.define("steward-hooks-section", StewardHooksSection);
