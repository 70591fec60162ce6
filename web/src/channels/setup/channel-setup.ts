// The way from nothing to a channel that works, step by step. What is done is read from the gateway, so it can be left and taken up again.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { ShownChannel } from "../../../../src/contract/wire/methods/channels.ts";
import type { App } from "../../app/app.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { type ChannelName, channelTitles } from "../../words.ts";
import { type ChannelValues, saveChannelSettings } from "../save-settings.ts";
import { focusFirstControl, isFocusLost } from "./first-control.ts";
import { makeSteps, onWords } from "./make/make-words.ts";
import { openSaving, startAnew } from "./saving.ts";
import { nextStep, type Step, type StepName, setupSteps } from "./setup-steps.ts";
import { stepStyles } from "./step-styles.ts";
import "./email-form.ts";
import { followSteps } from "./ntfy-form.ts";
import "./pairing.ts";
import "./secret-form.ts";
import "./test-message.ts";

/** Tells `changed` when something was saved. */
export class StewardChannelSetup extends LitElement {
  static override properties = {
    app: { attribute: false },
    channel: { attribute: false },
    values: { attribute: false },
    codes: { attribute: false },
    isManaged: { type: Boolean },
    chosen: { state: true },
    hasTested: { state: true },
  };
  static override styles = [
    controls,
    stepStyles,
    css`
      :host { display: block; }
      ol.steps { display: grid; gap: var(--space-1); margin: 0; padding: 0; list-style: none; }
      .steps > li { position: relative; padding-inline-start: 40px; }
      .steps > li + li::before { content: ""; position: absolute; top: -14px; left: 13px; width: 1px; height: 22px; background: var(--line); }
      .sign { position: absolute; top: 6px; left: 0; display: grid; place-items: center; width: 27px; height: 27px; font-size: var(--text-s); font-weight: 600; color: var(--ink-soft); background: var(--sunken); border-radius: 50%; }
      .current .sign { color: var(--accent-ink); background: var(--accent); }
      .done .sign { color: var(--good); background: var(--good-soft); }
      h3 button { justify-content: flex-start; width: 100%; min-height: 38px; padding: 0; font-size: var(--text-m); white-space: normal; text-align: start; color: var(--ink-soft); background: none; border-color: transparent; }
      h3 button:hover { color: var(--ink); background: none; border-color: transparent; }
      .current h3 button, h3 button[aria-expanded="true"] { color: var(--ink); font-weight: 600; }
      h3 svg { margin-inline-start: auto; color: var(--ink-faint); transition: rotate var(--quick); }
      h3 button[aria-expanded="true"] svg { rotate: 90deg; }
      .inside { padding: var(--space-1) 0 var(--space-4); }
      @media (pointer: coarse) { .sign { top: 9px; } }
    `,
  ];
  declare app: App;
  declare channel: ShownChannel;
  declare values: ChannelValues;
  declare codes: number;
  /** It works already, and people are let in and messages tried elsewhere. */
  declare isManaged: boolean;
  /** The step that somebody has opened or closed by hand; undefined: the next one is open. */
  declare chosen: StepName | "none" | undefined;
  declare hasTested: boolean;
  private readonly saving = openSaving(this);
  /** The step that is open as it stands on the screen, and the one in which somebody was last. */
  private shown: StepName | undefined;
  private lastIn: StepName | undefined;

  constructor() {
    super();
    this.codes = 0;
    this.hasTested = false;
    this.isManaged = false;
  }

  /** Where the keyboard goes on: in the step that is open, else at the name of the one that was. */
  async focusStep(before?: StepName): Promise<void> {
    await this.updateComplete;
    const open = this.renderRoot.querySelector(".inside");
    if (open && (await focusFirstControl(open))) return;
    const name = this.shown ?? before;
    this.renderRoot.querySelector<HTMLElement>(name ? `li[data-step="${name}"] h3 button` : "h3 button")?.focus();
  }

  override updated(): void {
    const before = this.shown;
    const open = this.renderRoot.querySelector<HTMLElement>("li:has(> .inside)");
    this.shown = open?.dataset.step as StepName | undefined;
    if (before === undefined || before === this.shown || this.lastIn !== before || !isFocusLost()) return;
    void this.focusStep(before);
  }

  override render(): TemplateResult {
    const all = setupSteps(this.channel, this.values, this.hasTested);
    const steps = this.isManaged ? all.filter(({ name }) => name !== "pair" && name !== "test") : all;
    const next = this.isManaged ? undefined : nextStep(steps);
    return html`<ol class="steps" @focusin=${this.noteStep}>
      ${steps.map((step, at) => this.renderStep(step, at + 1, next))}
    </ol>`;
  }

  private renderStep({ name, isDone, isOptional }: Step, number: number, next: StepName | undefined): TemplateResult {
    const isOpen = name === (this.chosen ?? next);
    const state = isDone ? "done" : name === next ? "current" : "";
    return html`<li class=${state} data-step=${name}>
      <span class="sign" aria-hidden="true">${isDone ? icon("check", 16) : number}</span>
      <h3>
        <button aria-expanded=${isOpen ? "true" : "false"} aria-current=${name === next ? "step" : nothing} @click=${() => this.toggle(name, isOpen)}>
          <span>${stepTitle(name, this.channel.name)}${isOptional && !isDone ? html` <span class="hint">(optional)</span>` : nothing}<span class="visually-hidden">${isDone ? " (done)" : ""}</span></span>
          ${icon("chevron", 16)}
        </button>
      </h3>
      ${isOpen ? html`<div class="inside" role="group" aria-label=${stepTitle(name, this.channel.name)}>${this.renderInside(name)}</div>` : nothing}
    </li>`;
  }

  private renderInside(name: StepName): TemplateResult {
    const { app, channel, values } = this;
    switch (name) {
      case "make":
        return this.renderWords(makeSteps(channel.name), "secrets");
      case "follow":
        return this.renderWords(followSteps(values), "on");
      case "settings":
      case "answer":
        return this.renderFields(name);
      case "secrets":
        return html`<steward-secret-form .app=${app} .channel=${channel} @saved=${this.saved}></steward-secret-form>`;
      case "on":
        return this.renderOn();
      case "pair":
        return html`<steward-pairing .app=${app} .channel=${channel.name} .people=${channel.people} .codes=${this.codes} @changed=${this.tellChanged}></steward-pairing>`;
      case "test":
        return html`<steward-test-message .app=${app} .channel=${channel.name} @tested=${this.tested}></steward-test-message>`;
      default:
        return name satisfies never;
    }
  }

  private renderWords(words: TemplateResult, then: StepName): TemplateResult {
    return html`<div class="body">
      ${words}
      <div class="row"><button @click=${() => this.open(then)}>${icon("check", 16)} That is done</button></div>
    </div>`;
  }

  private renderFields(name: "settings" | "answer"): TemplateResult {
    const { app, channel, values } = this;
    return channel.name === "ntfy"
      ? html`<steward-ntfy-form .app=${app} .channel=${channel} .values=${values} @saved=${this.saved}></steward-ntfy-form>`
      : html`<steward-email-form
            .app=${app}
            .channel=${channel}
            .values=${values}
            .question=${name === "answer" ? "answer" : "servers"}
            @saved=${name === "answer" ? this.answered : this.saved}
          ></steward-email-form>
          ${name === "answer" ? html`<div class="row"><button class="quiet" @click=${() => this.open("on")}>Skip this</button></div>` : nothing}`;
  }

  private renderOn(): TemplateResult {
    const { state, detail, name } = this.channel;
    if (state !== "off" && state !== "incomplete")
      return html`<div class="body"><p>It is on. Everything else is above.</p></div>`;
    const { isBusy, problem } = this.saving;
    return html`<div class="body">
      ${state === "incomplete" && detail ? html`<p class="warning-text">${detail}</p>` : nothing}
      <p>${onWords(name)}</p>
      <div class="row">
        <button class="primary" ?disabled=${isBusy} @click=${this.switchOn}>
          ${icon(isBusy ? "spinner" : "play", 16)} ${isBusy ? "Restarting…" : "Switch on now"}
        </button>
      </div>
      <p class="problem" role="alert" ?hidden=${problem === undefined}>${problem}</p>
    </div>`;
  }

  private noteStep(event: FocusEvent): void {
    const inside = (event.target as HTMLElement).closest(".inside");
    this.lastIn = inside?.closest("li")?.dataset.step as StepName | undefined;
  }

  private toggle(name: StepName, isOpen: boolean): void {
    this.chosen = isOpen ? "none" : name;
  }

  private open(name: StepName): void {
    this.chosen = name;
  }

  private async switchOn(): Promise<void> {
    const isOn = await this.saving.run(async () => {
      await saveChannelSettings(this.app.link, this.channel.name, { enabled: true });
      await startAnew(this.app);
    });
    if (isOn) this.saved();
  }

  private saved(): void {
    this.chosen = undefined;
    this.tellChanged();
  }

  // whoever was saved nothing for has answered the question too
  private answered(): void {
    const steps = setupSteps(this.channel, this.values, this.hasTested);
    this.chosen = steps.find(({ name }) => name === "on")?.isDone ? undefined : "on";
    this.tellChanged();
  }

  private tested(): void {
    this.hasTested = true;
    this.chosen = undefined;
  }

  private tellChanged(): void {
    this.dispatchEvent(new Event("changed"));
  }
}

function stepTitle(name: StepName, channel: ChannelName): string {
  const title = channelTitles[channel];
  const titles: Readonly<Record<StepName, string>> = {
    make: channel === "slack" ? "Make an app in Slack" : `Make a bot in ${title}`,
    settings: channel === "ntfy" ? "Choose a topic" : "Choose the mailbox",
    secrets:
      channel === "email" ? "Give Steward the password" : channel === "slack" ? "Paste both tokens" : "Paste the token",
    answer: "Say whose mails are answered",
    follow: "Follow the topic on your phone",
    on: "Switch it on",
    pair: "Let yourself in",
    test: "Try it out",
  };
  return titles[name];
}

customElements.define("steward-channel-setup", StewardChannelSetup);
