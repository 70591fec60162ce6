// Who may come in: browsers and tokens, a new token, a code for another device.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { AccessToken } from "../../../src/contract/wire/access.ts";
import type { MethodResult } from "../../../src/contract/wire/method.ts";
import { formatAgo, formatDuration } from "../../../src/contract/words/amounts.ts";
import type { App } from "../app/app.ts";
import { watch } from "../state/watch.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { sessionName } from "../words.ts";
import { scopeNames, sortByUse, useWords } from "./access-words.ts";
import { failedNotice, failureWords, type Loading, load, loading } from "./loading.ts";
import "./shown-once.ts";
import "./token-form.ts";

export class StewardAccessSection extends LitElement {
  static override properties = {
    app: { attribute: false },
    tokens: { state: true },
    code: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: grid; gap: var(--space-3); scroll-margin-top: var(--space-4); }
      header p { margin-top: 2px; color: var(--ink-soft); font-size: var(--text-s); }
      .card { padding: 0; }
      ul { padding: 0; list-style: none; }
      li { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: var(--space-3); align-items: center; padding: var(--space-3) var(--space-4); }
      li + li { border-top: 1px solid var(--line); }
      li > svg { color: var(--ink-faint); }
      .chip { white-space: normal; }
      .name { font-weight: 550; font-size: var(--text-s); overflow-wrap: anywhere; }
      .inner { display: grid; gap: var(--space-3); padding: var(--space-4); }
      .bone { height: 112px; background: var(--sunken); border-color: transparent; }
      .empty { padding: var(--space-5); }
      @media (max-width: 520px) {
        li { grid-template-columns: auto minmax(0, 1fr); }
        li > button { grid-column: 2; justify-self: start; }
      }
    `,
  ];
  declare app: App;
  declare tokens: Loading<readonly AccessToken[]>;
  declare code: MethodResult<"access.createCode"> | undefined;

  constructor() {
    super();
    this.tokens = loading;
    watch(this, () => [this.app.sessions]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.reload();
  }

  override render(): TemplateResult {
    return html`
      <header>
        <h2>Access</h2>
        <p>Browsers that were let in, and tokens for programs. Everybody else stays outside.</p>
      </header>
      ${this.renderTokens()}
      <div class="row">
        <button @click=${this.createCode}>${icon("link", 16)} Let another device in</button>
      </div>
      ${this.code ? this.renderCode(this.code) : nothing}
      <steward-token-form .app=${this.app} @created=${this.reload}></steward-token-form>
    `;
  }

  private renderTokens(): TemplateResult {
    const { tokens } = this;
    if (tokens.state === "loading")
      return html`<div class="card bone" role="status" aria-busy="true" aria-label="Loading"></div>`;
    if (tokens.state === "failed") return failedNotice(tokens.message, () => void this.reload());
    if (tokens.value.length === 0)
      return html`<p class="card empty">Nobody has access besides the terminal on this machine.</p>`;
    return html`<ul class="card">
      ${sortByUse(tokens.value).map((token) => this.renderToken(token))}
    </ul>`;
  }

  private renderToken(token: AccessToken): TemplateResult {
    const session = this.app.sessions.value.find((one) => one.sessionKey === token.sessionKey);
    const scope = session ? `${scopeNames[token.scope]}: ${sessionName(session)}` : scopeNames[token.scope];
    return html`<li>
      ${icon(token.kind === "browser" ? "globe" : "key")}
      <div>
        <div class="row">
          <span class="name">${token.name}</span>
          <span class="chip ${token.scope === "owner" ? "accent" : ""}">${scope}</span>
        </div>
        <p class="hint">Let in ${formatAgo(token.createdAtMs, Date.now())}, ${useWords(token, Date.now())}</p>
      </div>
      <button class="danger" aria-label="Take away the access of ${token.name}" @click=${() => this.revoke(token)}>Take away</button>
    </li>`;
  }

  private renderCode(code: MethodResult<"access.createCode">): TemplateResult {
    const left = formatDuration(Math.max(0, code.expiresAtMs - Date.now()));
    return html`<div class="card inner">
      <steward-shown-once
        label="Address to open on the other device"
        .text=${code.url}
        .note=${`It works once and runs out in ${left}. Whoever opens it may do everything.`}
      ></steward-shown-once>
      <steward-shown-once label="Or the code to type there" .text=${code.code}></steward-shown-once>
    </div>`;
  }

  private async reload(): Promise<void> {
    this.tokens = await load(async () => (await this.app.link.call("access.list", {})).tokens);
  }

  private async createCode(): Promise<void> {
    try {
      this.code = await this.app.link.call("access.createCode", {});
    } catch (error) {
      this.app.say(failureWords(error), { tone: "error" });
    }
  }

  private async revoke(token: AccessToken): Promise<void> {
    const sure = await this.app.confirm({
      title: `Take away the access of ${token.name}?`,
      text: `${token.kind === "browser" ? "That browser is signed out at once." : "Programs that use this token stop working at once."} If it is the one you are using, you need a new code to come back.`,
      yes: "Take away",
      tone: "error",
    });
    if (!sure) return;
    try {
      await this.app.link.call("access.revoke", { id: token.id });
      this.app.say(`${token.name} has no access any more.`, { tone: "good" });
    } catch (error) {
      this.app.say(failureWords(error), { tone: "error" });
    }
    await this.reload();
  }
}

customElements.define("steward-access-section", StewardAccessSection);
