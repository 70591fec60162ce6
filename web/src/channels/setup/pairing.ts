// A code that lets somebody in: shown big, this once, with the time it has left.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { PairingCode } from "../../../../src/contract/wire/methods/channels.ts";
import type { App } from "../../app/app.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { type ChannelName, channelTitles } from "../../words.ts";
import { codeGroups, leftWords, mostCodes } from "./pairing-words.ts";
import { openSaving } from "./saving.ts";
import { stepStyles } from "./step-styles.ts";

/** Tells `changed` when there is a code more. */
export class StewardPairing extends LitElement {
  static override properties = {
    app: { attribute: false },
    channel: { attribute: false },
    people: { attribute: false },
    codes: { attribute: false },
    words: { attribute: false },
    code: { state: true },
    copied: { state: true },
  };
  static override styles = [
    controls,
    stepStyles,
    css`
      :host { display: block; }
      .code { display: grid; justify-items: center; gap: var(--space-2); padding: var(--space-4); text-align: center; background: var(--accent-soft); border-radius: var(--radius-m); }
      .code p { font-size: var(--text-s); color: var(--ink-soft); text-wrap: balance; }
      output { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 0.6em; font: 600 30px/1.3 var(--font-code); letter-spacing: 0.08em; color: var(--ink); user-select: all; }
      .left { font-variant-numeric: tabular-nums; }
    `,
  ];
  declare app: App;
  declare channel: ChannelName;
  /** Who may talk there, by id: whoever is new has used the code. */
  declare people: readonly { id: string; name: string }[];
  /** How many codes are open on all channels together. */
  declare codes: number;
  /** What stands on the button. */
  declare words: string;
  declare code: PairingCode | undefined;
  declare copied: boolean;
  private readonly saving = openSaving(this);
  private knownBefore: ReadonlySet<string> = new Set();
  private clock: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.people = [];
    this.codes = 0;
    this.words = "Get a code";
    this.copied = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.clock = setInterval(() => this.code && this.requestUpdate(), 1_000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.clock);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    const newcomer = this.code && this.people.find(({ id }) => !this.knownBefore.has(id));
    if (newcomer)
      this.app.say(`${newcomer.name} may talk to Steward on ${channelTitles[this.channel]} now.`, { tone: "good" });
    // used, forgotten elsewhere on the page, or by a Steward that has restarted
    if (newcomer || (changed.has("codes") && this.codes === 0)) this.code = undefined;
  }

  override render(): TemplateResult {
    const left = this.code && leftWords(this.code.expiresAtMs, Date.now());
    return html`<div class="body">
      <div aria-live="polite">${this.code ? this.renderCode(this.code, left) : nothing}</div>
      <div class="row">
        <button class=${this.code ? "" : "primary"} ?disabled=${this.saving.isBusy} @click=${this.pair}>
          ${icon(this.saving.isBusy ? "spinner" : "key", 16)} ${this.code ? "Another code" : this.words}
        </button>
        ${this.codes >= mostCodes ? html`<span class="hint">${mostCodes} codes are open, and that is the most: another one ends the oldest.</span>` : nothing}
      </div>
      <p class="hint">Whoever writes the code to the bot within an hour may talk to Steward as you do.</p>
      <p class="problem" role="alert" ?hidden=${this.saving.problem === undefined}>${this.saving.problem}</p>
    </div>`;
  }

  private renderCode({ code }: PairingCode, left: string | undefined): TemplateResult {
    if (left === undefined) return html`<div class="code"><p>This code has expired. Get another one.</p></div>`;
    const [first, second] = codeGroups(code);
    return html`<div class="code">
      <p>Write this to your bot on ${channelTitles[this.channel]}:</p>
      <output aria-label="Pairing code"><span>${first}</span><span>${second}</span></output>
      <button class="quiet" @click=${() => this.copy(code)}>${icon(this.copied ? "check" : "copy", 16)} ${this.copied ? "Copied" : "Copy"}</button>
      <p class="left" aria-live="off">It works once. ${left}.</p>
    </div>`;
  }

  private async pair(): Promise<void> {
    await this.saving.run(async () => {
      const code = await this.app.link.call("channels.pair", { channel: this.channel });
      this.knownBefore = new Set(this.people.map(({ id }) => id));
      this.copied = false;
      this.code = code;
      this.dispatchEvent(new Event("changed"));
    });
  }

  private async copy(code: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(code);
      this.copied = true;
    } catch {
      // some browsers allow it on secure pages only; the code can be selected and copied by hand
      this.app.say("The browser does not allow copying here. The code is short enough to type.");
    }
  }
}

customElements.define("steward-pairing", StewardPairing);
