// The first visit: what works already, which models are at hand, choose one, try it, use it.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { MethodResult } from "../../../src/contract/wire/method.ts";
import { formatDuration } from "../../../src/contract/words/amounts.ts";
import type { App } from "../app/app.ts";
import { applySettings } from "../settings/apply-settings.ts";
import { failedNotice, failureWords, type Loading, load, loading } from "../settings/loading.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import {
  chosenWords,
  type ModelPlace,
  type SetupForm,
  setupProblems,
  suggestedModels,
  toChoice,
} from "./model-places.ts";
import "./place-list.ts";
import { renderModelFields } from "./model-fields.ts";
import { ownServer } from "./place-list.ts";
import { setupStyles } from "./setup-styles.ts";

type Status = MethodResult<"setup.status">;
type Test = MethodResult<"models.test">;

export class StewardSetupPage extends LitElement {
  static override properties = {
    app: { attribute: false },
    route: { attribute: false },
    status: { state: true },
    chosen: { state: true },
    form: { state: true },
    isTouched: { state: true },
    busy: { state: true },
    test: { state: true },
    problem: { state: true },
  };
  static override styles = [controls, setupStyles, css`:host { display: block; }`];
  declare app: App;
  declare route: readonly string[];
  declare status: Loading<Status>;
  /** A provider's id, or that of a server which is not listed. */
  declare chosen: string | undefined;
  declare form: SetupForm;
  declare isTouched: boolean;
  declare busy: "testing" | "connecting" | undefined;
  declare test: Test | undefined;
  declare problem: string | undefined;

  constructor() {
    super();
    this.status = loading;
    this.form = { provider: "", apiKey: "", baseUrl: "", model: "" };
    this.isTouched = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.reload();
  }

  override render(): TemplateResult {
    return html`<div class="page">
      <header>
        <h1>Connect a model</h1>
        <p>Three steps, about a minute. Nothing leaves this machine before you say so.</p>
      </header>
      ${this.renderStatus()}
    </div>`;
  }

  private renderStatus(): TemplateResult {
    const { status } = this;
    if (status.state === "failed") return failedNotice(status.message, () => void this.reload());
    if (status.state === "loading")
      return html`<div role="status" aria-busy="true" aria-label="Looking for models">
        <div class="card bone"></div>
        <div class="card bone tall"></div>
      </div>`;
    return html`
      ${renderWorksAlready(status.value)}
      <ol class="steps">
        <li>
          <h2>Where the model is</h2>
          <steward-place-list .places=${status.value.providers} .chosen=${this.chosen} @chosen=${this.choose}></steward-place-list>
          <button class="quiet again" @click=${this.reload}>${icon("retry", 16)} Look again</button>
        </li>
        ${this.chosen === undefined ? nothing : this.renderSteps()}
      </ol>
    `;
  }

  private renderSteps(): TemplateResult {
    const problems = setupProblems(this.form, this.place());
    return html`<li>
        <h2>Which model</h2>
        <form @submit=${this.tryIt} novalidate>
          ${renderModelFields({
            form: this.form,
            place: this.place(),
            problems: this.isTouched ? problems : {},
            edit: (change) => this.edit(change),
          })}
          <div class="row">
            <button class=${this.test?.ok ? "" : "primary"} ?disabled=${this.busy !== undefined}>
              ${icon(this.busy === "testing" ? "spinner" : "chat", 16)} ${this.busy === "testing" ? "Asking it…" : "Test it"}
            </button>
            <span class="hint">One short question is sent; nothing is saved yet.</span>
          </div>
        </form>
        <div aria-live="polite">${this.test ? renderTest(this.test) : nothing}</div>
      </li>
      <li>
        <h2>Use it</h2>
        <div class="row">
          <button class=${this.test?.ok ? "primary" : ""} ?disabled=${this.busy !== undefined} @click=${this.connect}>
            ${icon(this.busy === "connecting" ? "spinner" : "check", 16)} ${this.busy === "connecting" ? "Starting with it…" : "Use this model"}
          </button>
          <span class="hint">${this.test?.ok ? "It has answered: you can go on." : "Better test it first."}</span>
        </div>
        <p class="problem" role="alert" ?hidden=${!this.problem}>${this.problem}</p>
      </li>`;
  }

  private place(): ModelPlace | undefined {
    return this.status.state === "ready"
      ? this.status.value.providers.find((place) => place.id === this.chosen)
      : undefined;
  }

  private choose(event: CustomEvent<string>): void {
    this.chosen = event.detail;
    const place = this.place();
    this.form = {
      provider: place?.id ?? ownServer.name,
      apiKey: "",
      baseUrl: "",
      model: place ? (suggestedModels(place)[0] ?? "") : "",
    };
    this.isTouched = false;
    this.forgetTest();
  }

  private edit(change: Partial<SetupForm>): void {
    this.form = { ...this.form, ...change };
    this.forgetTest();
  }

  // an answer of another model says nothing about this one
  private forgetTest(): void {
    this.test = undefined;
    this.problem = undefined;
  }

  private hasProblems(): boolean {
    this.isTouched = true;
    return Object.keys(setupProblems(this.form, this.place())).length > 0;
  }

  private async tryIt(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.hasProblems()) return;
    this.busy = "testing";
    this.forgetTest();
    try {
      this.test = await this.app.link.call("models.test", toChoice(this.form));
    } catch (error) {
      this.test = { ok: false, text: failureWords(error), durationMs: 0 };
    }
    this.busy = undefined;
  }

  private async connect(): Promise<void> {
    if (this.hasProblems()) return;
    this.busy = "connecting";
    this.problem = undefined;
    try {
      await this.app.link.call("models.connect", toChoice(this.form));
      if (await applySettings(this.app.link)) {
        this.app.say(`${toChoice(this.form).model} answers from now on.`, { tone: "good" });
        this.app.go("/chat");
      } else this.problem = "Saved, but Steward has not come back yet. Look at the terminal in which it runs.";
    } catch (error) {
      this.problem = failureWords(error);
    }
    this.form = { ...this.form, apiKey: "" };
    this.busy = undefined;
  }

  private async reload(): Promise<void> {
    const status = await load(() => this.app.link.call("setup.status", {}));
    if (status.state === "ready" || this.status.state !== "ready") this.status = status;
    else this.app.say(status.message, { tone: "error" });
  }
}

function renderWorksAlready(status: Status): TemplateResult {
  const { isWell, words } = chosenWords(status.chosen, status.providers);
  if (status.done)
    return html`<div class="card note ${isWell ? "good" : "bad"}">${icon(isWell ? "check" : "warning")}<p><strong>${status.chosen}</strong> ${words}</p></div>`;
  return html`<div class="card note">
    ${icon("help")}
    <div>
      <p>
        <strong>It works without a model, too.</strong> A small built-in one understands plain sentences: remember something, run a
        command, read or write a file, fetch a page. For real conversations, connect one below.
      </p>
      <a href="/chat">Go on without one</a>
    </div>
  </div>`;
}

function renderTest(test: Test): TemplateResult {
  return html`<div class="card note ${test.ok ? "good" : "bad"}">
    ${icon(test.ok ? "check" : "warning")}
    <div>
      <p>${test.ok ? `It answered in ${formatDuration(test.durationMs)}:` : "It did not answer:"}</p>
      <p class="said">${test.text}</p>
    </div>
  </div>`;
}

customElements.define("steward-setup-page", StewardSetupPage);
