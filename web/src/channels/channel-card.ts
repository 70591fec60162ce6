// One channel: how it stands, who may talk there, what waits, and the steps that set it up.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { ShownChannel } from "../../../src/contract/wire/methods/channels.ts";
import type { App } from "../app/app.ts";
import { failureWords } from "../settings/loading.ts";
import { channelIcons } from "../style/channel-mark.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { isRunning, type Standing, standingOf, waitingWords } from "./channel-words.ts";
import { type ChannelValues, saveChannelSettings } from "./save-settings.ts";
import type { StewardChannelSetup } from "./setup/channel-setup.ts";
import "./setup/channel-setup.ts";
import { focusFirstControl, isFocusLost } from "./setup/first-control.ts";
import { aboutWords } from "./setup/make/make-words.ts";
import "./setup/pairing.ts";
import { startAnew } from "./setup/saving.ts";
import { isSetUp, setupSteps } from "./setup/setup-steps.ts";
import "./setup/test-message.ts";

type Person = ShownChannel["people"][number];

/** Tells `toggled` when it wants to be opened or closed, and `changed` when something is different now. */
export class StewardChannelCard extends LitElement {
  static override properties = {
    app: { attribute: false },
    channel: { attribute: false },
    values: { attribute: false },
    codes: { attribute: false },
    nowMs: { attribute: false },
    isOpen: { type: Boolean },
    wasWhole: { state: true },
    busy: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: block; }
      .card { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-4); }
      header { display: grid; grid-template-columns: 40px minmax(0, 1fr) auto; gap: var(--space-1) var(--space-3); align-items: center; }
      .picture { display: grid; place-items: center; width: 40px; height: 40px; color: var(--accent); background: var(--accent-soft); border-radius: 12px; }
      .off .picture { color: var(--ink-faint); background: var(--sunken); }
      .standing { display: flex; align-items: baseline; gap: var(--space-2); font-size: var(--text-s); color: var(--ink-soft); font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
      .dot { width: 9px; height: 9px; flex: none; border-radius: 50%; background: var(--ink-faint); }
      .dot.good { background: var(--good); }
      .dot.warning { background: var(--warning); }
      .dot.danger { background: var(--danger); }
      .dot.busy { background: var(--accent); animation: breathe 1.2s ease-in-out infinite alternate; }
      @keyframes breathe { from { opacity: 0.35; } }
      @media (prefers-reduced-motion: reduce) { .dot.busy { animation: none; } }
      .detail, .about { font-size: var(--text-s); color: var(--ink-soft); text-wrap: pretty; overflow-wrap: anywhere; }
      .standing.warning, .detail.warning { color: var(--warning); }
      .standing.danger, .detail.danger { color: var(--danger); }
      .standing:is(.warning, .danger) { font-weight: 550; }
      .about { margin-top: 2px; color: var(--ink-faint); }
      h3 { margin-bottom: var(--space-1); font-size: var(--text-s); font-weight: 550; color: var(--ink-soft); }
      ul { display: grid; gap: 2px; padding: 0; list-style: none; }
      .person { display: flex; align-items: center; gap: var(--space-2); min-height: 36px; font-size: var(--text-s); }
      .person > svg { color: var(--ink-faint); }
      .person p { flex: 1; min-width: 0; overflow-wrap: anywhere; }
      .doings { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr)); gap: var(--space-4); align-items: start; padding-top: var(--space-4); border-top: 1px solid var(--line); }
      .setup { padding-top: var(--space-4); border-top: 1px solid var(--line); }
      .last { margin-top: var(--space-3); padding-top: var(--space-3); border-top: 1px solid var(--line); }
      @media (max-width: 520px) {
        header button { grid-area: 1 / 3; }
        .words { display: contents; }
        .words > div { grid-column: 1 / -1; }
      }
    `,
  ];
  declare app: App;
  declare channel: ShownChannel;
  declare values: ChannelValues;
  declare codes: number;
  declare nowMs: number;
  declare isOpen: boolean;
  /** When it was opened: a way that is being gone is not cut short by its last step. */
  declare wasWhole: boolean;
  declare busy: "reconnect" | "off" | undefined;

  constructor() {
    super();
    this.isOpen = false;
    this.wasWhole = false;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("isOpen") && this.isOpen) this.wasWhole = this.isWhole;
  }

  override updated(changed: PropertyValues<this>): void {
    const door = this.renderRoot.querySelector<HTMLElement>("header button");
    const isNews = changed.has("isOpen") && this.isOpen;
    // whoever has just opened it goes on inside
    if (isNews && this.shadowRoot?.activeElement === door) void this.focusInside();
  }

  override render(): TemplateResult {
    const { channel } = this;
    const standing = standingOf(channel, this.nowMs);
    const isOff = channel.state === "off";
    return html`<section class="card ${isOff ? "off" : ""}" aria-labelledby="title">
      ${this.renderHead(standing)}
      ${standing.detail ? html`<p class="detail ${standing.tone}">${standing.detail}</p>` : nothing}
      ${channel.waiting > 0 ? html`<p><span class="chip warning">${icon("clock", 13)} ${waitingWords(channel.waiting)}</span></p>` : nothing}
      ${isRunning(channel) && channel.receives ? this.renderPeople() : nothing} ${this.isOpen ? this.renderOpen() : nothing}
    </section>`;
  }

  private renderHead({ tone, text }: Standing): TemplateResult {
    const { name, title } = this.channel;
    return html`<header>
      <span class="picture">${icon(channelIcons[name])}</span>
      <div class="words">
        <h2 id="title">${title}</h2>
        <div>
          <p class="standing ${tone}"><i class="dot ${tone}"></i><span>${text}</span></p>
          ${tone === "off" ? html`<p class="about">${aboutWords[name]}</p>` : nothing}
        </div>
      </div>
      <button aria-expanded=${this.isOpen ? "true" : "false"} aria-label="${this.doorWords}: ${title}" @click=${this.toggle}>
        ${this.doorWords}
      </button>
    </header>`;
  }

  private get isWhole(): boolean {
    return isSetUp(setupSteps(this.channel, this.values, false));
  }

  private get doorWords(): string {
    if (this.isOpen) return "Close";
    if (this.isWhole) return "Manage";
    return this.channel.state === "off" && !hasBegun(this.channel) ? "Set up" : "Continue";
  }

  private renderPeople(): TemplateResult {
    const { people, name } = this.channel;
    const title = name === "email" ? "Whose mails are answered" : "Who may talk there as you";
    return html`<div>
      <h3>${title}</h3>
      ${
        people.length === 0
          ? html`<p class="hint">${name === "email" ? "Nobody's. Mails can be searched, read and sent all the same." : "Nobody yet. Whoever writes there gets no answer."}</p>`
          : html`<ul>${people.map((person) => this.renderPerson(person))}</ul>`
      }
    </div>`;
  }

  private renderPerson(person: Person): TemplateResult {
    const { id, name, from } = person;
    return html`<li class="person">
      ${icon("people", 18)}
      <p>${name} ${name === id ? nothing : html`<span class="muted">${id}</span>`}</p>
      ${
        from === "settings"
          ? html`<a href="/settings/channels" title="Named in the settings">in the settings</a>`
          : html`<button class="quiet danger" aria-label="Remove ${name}" @click=${() => this.removePerson(person)}>${icon("trash", 16)} Remove</button>`
      }
    </li>`;
  }

  private renderOpen(): TemplateResult {
    const { app, channel } = this;
    const isManaged = this.isWhole && this.wasWhole;
    const mayPair = channel.receives && channel.name !== "email";
    return html`${
      isManaged
        ? html`<div class="doings">
          ${mayPair ? html`<steward-pairing .app=${app} .channel=${channel.name} .people=${channel.people} .codes=${this.codes} .words=${"Let somebody in"} @changed=${this.tellChanged}></steward-pairing>` : nothing}
          <steward-test-message .app=${app} .channel=${channel.name}></steward-test-message>
        </div>`
        : nothing
    }
      <div class="setup">
        <steward-channel-setup .app=${app} .channel=${channel} .values=${this.values} .codes=${this.codes} .isManaged=${isManaged} @changed=${this.tellChanged}></steward-channel-setup>
        ${channel.state === "off" ? nothing : this.renderLast()}
      </div>`;
  }

  private renderLast(): TemplateResult {
    const { busy, channel } = this;
    return html`<div class="row last">
      ${
        isRunning(channel)
          ? html`<button ?disabled=${busy !== undefined} @click=${this.reconnect}>${icon(busy === "reconnect" ? "spinner" : "retry", 16)} Reconnect</button>`
          : nothing
      }
      <button class="danger" ?disabled=${busy !== undefined} @click=${this.switchOff}>
        ${icon(busy === "off" ? "spinner" : "stop", 16)} ${busy === "off" ? "Switching off…" : "Switch off"}
      </button>
    </div>`;
  }

  private async focusInside(): Promise<void> {
    const doings = this.renderRoot.querySelector(".doings");
    if (doings && (await focusFirstControl(doings))) return;
    await this.renderRoot.querySelector<StewardChannelSetup>("steward-channel-setup")?.focusStep();
  }

  private toggle(): void {
    this.dispatchEvent(new Event("toggled"));
  }

  private tellChanged(): void {
    this.dispatchEvent(new Event("changed"));
  }

  private async removePerson(person: Person): Promise<void> {
    const { name, title } = this.channel;
    const sure = await this.app.confirm({
      title: `Remove ${person.name}?`,
      text: `What they write on ${title} is not answered any more. A new code lets them in again.`,
      yes: "Remove",
      tone: "error",
    });
    if (sure)
      await this.orSay(async () => {
        await this.app.link.call("channels.remove_person", { channel: name, person: person.id });
        this.app.say(`${person.name} may not talk to Steward on ${title} any more.`, { tone: "good" });
      });
  }

  private async reconnect(): Promise<void> {
    const focused = this.shadowRoot?.activeElement;
    this.busy = "reconnect";
    await this.orSay(() => this.app.link.call("channels.reconnect", { channel: this.channel.name }));
    await this.giveFocusBack(focused);
  }

  private async switchOff(): Promise<void> {
    const { name, title } = this.channel;
    const sure = await this.app.confirm({
      title: `Switch ${title} off?`,
      text: "Steward restarts without it. Its token and its people are kept, so you can switch it on again.",
      yes: "Switch off",
    });
    if (!sure) return;
    const focused = this.shadowRoot?.activeElement;
    this.busy = "off";
    await this.orSay(async () => {
      await saveChannelSettings(this.app.link, name, { enabled: false });
      await startAnew(this.app);
    });
    await this.giveFocusBack(focused);
  }

  private async orSay(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.app.say(failureWords(error), { tone: "error" });
    }
    this.tellChanged();
  }

  /** A button that is off while it works loses the keyboard; when it is gone for good, the card's own button has it. */
  private async giveFocusBack(focused: Element | null | undefined): Promise<void> {
    this.busy = undefined;
    await this.updateComplete;
    if (!isFocusLost() || !(focused instanceof HTMLElement)) return;
    const door = this.renderRoot.querySelector<HTMLElement>("header button");
    (focused.isConnected ? focused : door)?.focus();
  }
}

function hasBegun({ secrets, people }: ShownChannel): boolean {
  return people.length > 0 || secrets.some(({ found }) => found);
}

customElements.define("steward-channel-card", StewardChannelCard);
