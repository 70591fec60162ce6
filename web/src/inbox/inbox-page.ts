// Everything that waits for a person, in one place.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { App } from "../app/app.ts";
import { watch } from "../state/watch.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { taskOf } from "../words.ts";
import { answerApprovals } from "./answer-approval.ts";
import type { StewardApprovalCard } from "./approval-card.ts";
import "./approval-card.ts";
import { mergeShown, neighbour, type ShownApproval } from "./shown-approvals.ts";

const leavingMs = 260;

export class StewardInboxPage extends LitElement {
  static override properties = {
    app: { attribute: false },
    route: { attribute: false },
    shown: { state: true },
    selected: { state: true },
    isAnswering: { state: true },
    problem: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: block; }
      .bar { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2); min-height: 44px; margin-bottom: var(--space-3); }
      .bar label { display: flex; align-items: center; gap: var(--space-3); min-height: 36px; padding-inline-start: 2px; font-size: var(--text-s); color: var(--ink-soft); cursor: pointer; }
      .bar .answers { display: flex; gap: var(--space-2); margin-inline-start: auto; }
      ol { padding: 0; list-style: none; }
      li { display: grid; grid-template: 1fr / auto minmax(0, 1fr); gap: 0 var(--space-3); padding-bottom: var(--space-4); scroll-margin: var(--space-5); animation: arrive var(--calm) ease-out; }
      li > label { padding: var(--space-4) 2px; }
      li:focus { outline: none; }
      li:focus-visible steward-approval-card { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: var(--radius-l); }
      li.leaving { opacity: 0; transform: translateX(12px); pointer-events: none; transition: opacity var(--calm), transform var(--calm); }
      .single { grid-template-columns: minmax(0, 1fr); }
      .keys { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-4); font-size: var(--text-s); color: var(--ink-faint); }
      .empty svg { color: var(--good); }
      @keyframes arrive { from { opacity: 0; transform: translateY(8px); } }
      @media (pointer: coarse) { .keys { display: none; } li > label { padding: var(--space-4) 6px; } }
      @media (max-width: 520px) { 
        .bar .answers { width: 100%; }
        .bar .answers button { flex: 1; min-width: 0; padding: 0 var(--space-2); }
        li { grid-template-columns: minmax(0, 1fr); }
        li > label { display: flex; align-items: center; gap: var(--space-2); min-height: 44px; padding: 0 2px; font-size: var(--text-s); color: var(--ink-soft); }
        li > label .visually-hidden { position: static; width: auto; height: auto; margin: 0; clip-path: none; }
      }
    `,
  ];
  declare app: App;
  declare route: readonly string[];
  declare shown: readonly ShownApproval[];
  declare selected: ReadonlySet<string>;
  declare isAnswering: boolean;
  declare problem: string | undefined;
  private activeId: string | undefined;

  constructor() {
    super();
    this.shown = [];
    this.selected = new Set();
    this.isAnswering = false;
    watch(this, () => [this.app.approvals, this.app.loaded]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.pressed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.pressed);
  }

  override willUpdate(_: PropertyValues<this>): void {
    const merged = mergeShown(this.shown, this.app.approvals.value);
    const isNewlyLeaving = merged.some((one, place) => one.isLeaving && !this.shown[place]?.isLeaving);
    this.shown = merged;
    const open = this.openIds;
    this.selected = new Set([...this.selected].filter((id) => open.includes(id)));
    if (isNewlyLeaving) setTimeout(() => this.forgetAnswered(), leavingMs);
  }

  override render(): TemplateResult {
    const count = this.openIds.length;
    return html`<div class="page">
      <header>
        <h1>Inbox</h1>
        <p role="status">${this.app.loaded.value ? countWords(count) : "Looking…"}</p>
      </header>
      ${this.shown.length > 0 ? this.renderList(count) : nothing}
      ${this.shown.length === 0 && this.app.loaded.value ? this.renderEmpty() : nothing}
    </div>`;
  }

  private renderEmpty(): TemplateResult {
    return html`<div class="empty">
      ${icon("check")}
      <h2>Nothing waits for you</h2>
      <p>
        Before Steward does something that matters, it asks, and the question is listed here. To be told at once, choose
        “Allow notifications” under “Find anything”.
      </p>
    </div>`;
  }

  private renderList(count: number): TemplateResult {
    return html`${count > 1 ? this.renderBar(count) : nothing}
      <ol>
        ${repeat(
          this.shown,
          ({ approval }) => approval.approvalId,
          (one) => this.renderItem(one, count),
        )}
      </ol>
      <p class="keys" aria-hidden="true">
        <span><kbd>j</kbd> <kbd>k</kbd> move</span><span><kbd>a</kbd> approve</span><span><kbd>d</kbd> deny</span>
        ${count > 1 ? html`<span><kbd>x</kbd> select</span>` : nothing}<span><kbd>Enter</kbd> open the conversation</span>
      </p>`;
  }

  private renderBar(count: number): TemplateResult {
    const chosen = this.selected.size;
    const isOff = chosen === 0 || this.isAnswering;
    return html`<div class="bar" role="group" aria-label="Answer several">
      <label>
        <input
          type="checkbox"
          .checked=${chosen === count}
          .indeterminate=${chosen > 0 && chosen < count}
          @change=${this.selectAll}
        />
        ${chosen === 0 ? "Select all" : `${chosen} selected`}
      </label>
      <div class="answers">
        <button ?disabled=${isOff} @click=${() => this.answerSelected("approved")}>${icon("check", 16)} Approve selected</button>
        <button class="danger" ?disabled=${isOff} @click=${() => this.answerSelected("denied")}>${icon("close", 16)} Deny selected</button>
      </div>
      <p class="problem" role="alert" ?hidden=${!this.problem}>${this.problem}</p>
    </div>`;
  }

  private renderItem({ approval, isLeaving }: ShownApproval, count: number): TemplateResult {
    const id = approval.approvalId;
    return html`<li
      id=${id}
      class="${isLeaving ? "leaving" : ""} ${count > 1 ? "" : "single"}"
      tabindex="-1"
      ?inert=${isLeaving}
      @focusin=${() => {
        this.activeId = id;
      }}
    >
      ${
        count > 1
          ? html`<label>
            <input type="checkbox" .checked=${this.selected.has(id)} @change=${() => this.toggle(id)} />
            <span class="visually-hidden">Select this question</span>
          </label>`
          : nothing
      }
      <steward-approval-card .app=${this.app} .approval=${approval} shows-conversation></steward-approval-card>
    </li>`;
  }

  private get openIds(): readonly string[] {
    return this.shown.filter((one) => !one.isLeaving).map((one) => one.approval.approvalId);
  }

  private forgetAnswered(): void {
    this.shown = this.shown.filter((one) => !one.isLeaving);
  }

  private toggle(id: string): void {
    const selected = new Set(this.selected);
    if (!selected.delete(id)) selected.add(id);
    this.selected = selected;
  }

  private selectAll(): void {
    const all = this.openIds;
    this.selected = new Set(this.selected.size === all.length ? [] : all);
  }

  private async answerSelected(decision: "approved" | "denied"): Promise<void> {
    if (decision === "approved" && !(await this.mayApproveUnread())) return;
    this.isAnswering = true;
    this.problem = undefined;
    const chosen = this.selected.size;
    const { answered, problem } = await answerApprovals(this.app.link, [...this.selected], decision);
    this.isAnswering = false;
    this.problem = problem;
    const words = decision === "approved" ? "Approved" : "Denied";
    const rest = chosen - answered;
    const missed = rest > 0 && !problem ? `; ${rest} had been answered already` : "";
    if (answered > 0 || missed) this.app.say(`${words} ${answered}${missed}`, { tone: "good" });
  }

  /** What is allowed is what could be read; the others are counted. */
  private async mayApproveUnread(): Promise<boolean> {
    const cards = [...this.renderRoot.querySelectorAll("steward-approval-card")];
    const unread = cards.filter((card) => this.selected.has(card.approval.approvalId) && !card.isRead).length;
    if (unread === 0) return true;
    const title = unread === 1 ? "Approve one unread question?" : `Approve ${unread} unread questions?`;
    const text = "You have not scrolled to the end of everything that is selected.";
    return this.app.confirm({ title, text, yes: "Approve" });
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const path = event.composedPath();
    const [target] = path;
    const isTyping = target instanceof Element && target.matches("input:not([type=checkbox]), textarea, select");
    if (isTyping || path.some((one) => one instanceof HTMLDialogElement)) return;
    const isDone = this.act(event.key, target);
    if (isDone) event.preventDefault();
  };

  private act(key: string, target: EventTarget | undefined): boolean {
    const ids = this.openIds;
    const active = this.activeId !== undefined && ids.includes(this.activeId) ? this.activeId : undefined;
    const item = active === undefined ? null : this.renderRoot.querySelector(`#${CSS.escape(active)}`);
    const card = item?.querySelector("steward-approval-card");
    if (key === "j" || key === "k") this.move(neighbour(ids, active, key === "j" ? 1 : -1));
    else if (key === "x" && active && ids.length > 1) this.toggle(active);
    else if (key === "Enter" && card && target === item) this.app.go(placeOf(card.approval.sessionKey));
    else if ((key === "a" || key === "d") && active && card) void this.answer(card, key, ids);
    // nothing is answered that was not pointed at: the first press shows which one the second would answer
    else if (["a", "d", "x"].includes(key) && !active) this.move(ids[0]);
    else return false;
    return true;
  }

  // the keyboard's place moves on with the answer; a card that could not be answered keeps it and says why
  private async answer(card: StewardApprovalCard, key: "a" | "d", ids: readonly string[]): Promise<void> {
    const id = card.approval.approvalId;
    const after = neighbour(ids, id, 1);
    const next = after === id ? neighbour(ids, id, -1) : after;
    await (key === "a" ? card.approve() : card.deny());
    if (!card.problem && next !== id) this.move(next);
  }

  private move(id: string | undefined): void {
    if (id === undefined) return;
    this.activeId = id;
    const item = this.renderRoot.querySelector<HTMLElement>(`#${CSS.escape(id)}`);
    item?.focus({ preventScroll: true });
    item?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }
}

function placeOf(sessionKey: string): string {
  const task = taskOf(sessionKey);
  return task === undefined ? `/chat/${sessionKey}` : `/tasks/${task}`;
}

function countWords(count: number): string {
  if (count === 0) return "Everything that waits for your answer.";
  return count === 1 ? "One question waits for your answer." : `${count} questions wait for your answer.`;
}

customElements.define("steward-inbox-page", StewardInboxPage);
