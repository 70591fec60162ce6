// One question to the owner with everything needed to decide it; used by the inbox and inside a conversation.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { OpenApproval } from "../../../src/contract/wire/method.ts";
import { questionLines } from "../../../src/contract/words/question-lines.ts";
import { spellOut } from "../../../src/contract/words/spell-out.ts";
import { timeLeft } from "../../../src/contract/words/time-left.ts";
import type { App } from "../app/app.ts";
import { CallFailed, type GatewayLink } from "../gateway/gateway-link.ts";
import { watch } from "../state/watch.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { toolTitle } from "../tool-words.ts";
import { sessionName, taskOf } from "../words.ts";
import { type Answer, answerApproval } from "./answer-approval.ts";
import { sourcesSentence, withoutCheck } from "./approval-words.ts";

export class StewardApprovalCard extends LitElement {
  static override properties = {
    app: { attribute: false },
    approval: { attribute: false },
    showsConversation: { type: Boolean, attribute: "shows-conversation" },
    answering: { state: true },
    problem: { state: true },
    isExplaining: { state: true },
    taskTitle: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: block; }
      article { display: grid; gap: var(--space-3); }
      header { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2); }
      h2 { display: flex; align-items: center; gap: var(--space-2); font-size: var(--text-m); }
      h2 svg { color: var(--accent); }
      .left { margin-inline-start: auto; font-size: var(--text-s); color: var(--ink-faint); font-variant-numeric: tabular-nums; }
      .left.soon { color: var(--warning); }
      .well { max-height: none; color: var(--ink); }
      .well > .goes { color: var(--danger); background: var(--danger-soft); }
      .well > .comes { color: var(--good); background: var(--good-soft); }
      .why { color: var(--ink-soft); font-size: var(--text-s); text-wrap: pretty; overflow-wrap: anywhere; }
      .source {
        display: flex; gap: var(--space-2); padding: var(--space-2) var(--space-3); font-size: var(--text-s);
        color: var(--warning); background: var(--warning-soft); border-radius: var(--radius-m); overflow-wrap: anywhere;
      }
      .source svg { margin-top: 1px; }
      .always { margin-inline-start: auto; }
      form { display: grid; gap: var(--space-2); }
      @media (max-width: 520px) {
        .actions button { flex: 1 1 40%; }
        .always { margin: 0; }
      }
    `,
  ];
  declare app: App;
  declare approval: OpenApproval;
  /** Whether the conversation it belongs to is named and linked; needless inside that conversation. */
  declare showsConversation: boolean;
  declare answering: Answer["kind"] | "done" | undefined;
  declare problem: string | undefined;
  declare isExplaining: boolean;
  /** Of the task that asks, which is in no list of conversations. */
  declare taskTitle: string | undefined;
  private clock: ReturnType<typeof setInterval> | undefined;
  private readId: string | undefined;
  private readonly watcher = new IntersectionObserver((seen) => {
    if (seen.some((one) => one.isIntersecting)) this.readId = this.approval.approvalId;
  });

  constructor() {
    super();
    this.showsConversation = false;
    this.isExplaining = false;
    watch(this, () => (this.showsConversation ? [this.app.sessions] : []));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.clock = setInterval(() => this.requestUpdate(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.clock);
    this.watcher.disconnect();
  }

  // a list may hand the same element its next question
  override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("approval");
    if (this.showsConversation && changed.has("approval") && before?.sessionKey !== this.approval.sessionKey)
      void this.readTaskTitle(this.approval.sessionKey);
    if (!before || before.approvalId === this.approval.approvalId) return;
    this.answering = undefined;
    this.problem = undefined;
    this.isExplaining = false;
  }

  override updated(changed: PropertyValues<this>): void {
    if (!changed.has("approval")) return;
    this.watcher.disconnect();
    const end = this.actions;
    if (end) this.watcher.observe(end);
  }

  /** Whether the end of the question has been on the screen: what is allowed is what could be read. */
  get isRead(): boolean {
    const isInView = (this.actions?.getBoundingClientRect().top ?? 0) < innerHeight;
    return isInView || this.readId === this.approval.approvalId;
  }

  async approve(): Promise<void> {
    if (this.isRead) return this.answer({ kind: "approve" });
    this.problem = "This is the end of the question. Approve it again when you have read all of it.";
    await this.updateComplete;
    this.actions?.scrollIntoView({ block: "center" });
  }

  deny(): Promise<void> {
    return this.answer({ kind: "deny" });
  }

  override render(): TemplateResult {
    const { approval } = this;
    const ask = toolTitle(approval.tool);
    const left = timeLeft(approval.expiresAtMs, Date.now());
    return html`<article class="card" aria-labelledby="title">
      <header>
        <h2 id="title">${icon(ask.icon)} ${ask.title}?</h2>
        <span class="left ${left.isSoon ? "soon" : ""}">${left.text}</span>
      </header>
      <div class="well" role="group" aria-label="Exactly what would be done" tabindex="0">${this.renderQuestion()}</div>
      ${approval.workingDir ? html`<p class="why">In the folder ${spellOut(approval.workingDir)}</p>` : nothing}
      ${approval.reason ? html`<p class="why">${spellOut(approval.reason)}</p>` : nothing}
      ${this.renderSource()} ${this.showsConversation ? this.renderConversation() : nothing}
      ${this.isExplaining ? this.renderExplaining() : this.renderActions()}
      <p class="problem" role="alert" ?hidden=${!this.problem}>${this.problem}</p>
    </article>`;
  }

  // the lines are blocks of their own, and copied as lines
  private renderQuestion(): readonly TemplateResult[] {
    const { tool } = this.approval;
    return questionLines({ tool, display: spellOut(withoutCheck(this.approval)) }).map(
      ({ text, change }) => html`<div class=${change ?? ""}>${text === "" ? html`<br>` : text}</div>`,
    );
  }

  private get actions(): Element | null {
    return this.renderRoot.querySelector(".actions");
  }

  private renderSource(): TemplateResult | typeof nothing {
    const sentence = sourcesSentence(this.approval.labels);
    return sentence ? html`<p class="source">${icon("warning", 18)}<span>${sentence}</span></p>` : nothing;
  }

  private renderConversation(): TemplateResult | typeof nothing {
    const { sessionKey } = this.approval;
    const task = taskOf(sessionKey);
    if (task !== undefined)
      return html`<p class="why">Asked by a task: <a href="/tasks/${task}">${this.taskTitle ?? "open it"}</a></p>`;
    const session = this.app.sessions.value.find((one) => one.sessionKey === sessionKey);
    if (!session) return nothing;
    return html`<p class="why">Asked in <a href="/chat/${sessionKey}">${sessionName(session)}</a></p>`;
  }

  private async readTaskTitle(sessionKey: string): Promise<void> {
    const id = taskOf(sessionKey);
    this.taskTitle = undefined;
    if (id === undefined) return;
    const title = await taskTitleOf(this.app.link, id);
    if (sessionKey === this.approval.sessionKey) this.taskTitle = title;
  }

  private renderActions(): TemplateResult {
    const isBusy = this.answering !== undefined;
    return html`<div class="row actions">
      <button class="primary" ?disabled=${isBusy} @click=${() => this.approve()}>
        ${this.answering === "approve" ? icon("spinner", 16) : icon("check", 16)} Approve
      </button>
      <button class="danger" ?disabled=${isBusy} @click=${() => this.deny()}>
        ${this.answering === "deny" ? icon("spinner", 16) : icon("close", 16)} Deny
      </button>
      <button class="quiet" ?disabled=${isBusy} @click=${this.explain}>Deny and say why…</button>
      ${this.approval.eachTime ? nothing : this.renderAlways(isBusy)}
    </div>`;
  }

  private renderAlways(isBusy: boolean): TemplateResult {
    return html`<button
      class="quiet always"
      ?disabled=${isBusy}
      title="The same call with the same words is not asked about again"
      @click=${() => this.answer({ kind: "always" })}
    >
      Always allow exactly this
    </button>`;
  }

  private renderExplaining(): TemplateResult {
    return html`<form @submit=${this.denyWithReason} @keydown=${this.pressedInReason}>
      <div class="field">
        <label for="reason">Why not? Steward is told, and can try another way.</label>
        <textarea id="reason" maxlength="2000" rows="2"></textarea>
      </div>
      <div class="row">
        <button class="danger" ?disabled=${this.answering !== undefined}>Deny</button>
        <button type="button" class="quiet" @click=${this.stopExplaining}>Back</button>
      </div>
    </form>`;
  }

  private async explain(): Promise<void> {
    this.isExplaining = true;
    await this.updateComplete;
    this.renderRoot.querySelector("textarea")?.focus();
  }

  private async stopExplaining(): Promise<void> {
    this.isExplaining = false;
    await this.updateComplete;
    this.renderRoot.querySelector("button")?.focus();
  }

  private pressedInReason(event: KeyboardEvent): void {
    const isInField = event.target instanceof HTMLTextAreaElement;
    if (event.key === "Escape") {
      event.stopPropagation();
      void this.stopExplaining();
    } else if (event.key === "Enter" && isInField && !event.shiftKey && !event.isComposing) {
      event.stopPropagation();
      this.denyWithReason(event);
    }
  }

  private denyWithReason(event: Event): void {
    event.preventDefault();
    void this.answer({ kind: "deny", reason: this.renderRoot.querySelector("textarea")?.value ?? "" });
  }

  private async answer(answer: Answer): Promise<void> {
    if (this.answering !== undefined) return;
    this.answering = answer.kind;
    this.problem = undefined;
    const problem = await answerApproval(this.app.link, this.approval, answer);
    this.problem = problem;
    // taken: the event that says so takes the card away, and until then nothing may be pressed twice
    this.answering = problem === undefined ? "done" : undefined;
  }
}

/** Undefined when it cannot be told: the question can be answered without. */
async function taskTitleOf(link: GatewayLink, id: string): Promise<string | undefined> {
  try {
    return (await link.call("tasks.get", { id })).task.title;
  } catch (cause) {
    if (!(cause instanceof CallFailed)) throw cause;
    return undefined;
  }
}

customElements.define("steward-approval-card", StewardApprovalCard);

declare global {
  interface HTMLElementTagNameMap {
    "steward-approval-card": StewardApprovalCard;
  }
}
