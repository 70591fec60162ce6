// What one run does or did, step by step: the conversation of its task, cut down to it.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Conversation, ConversationItem } from "../../../../src/contract/conversation/conversation.ts";
import type { App } from "../../app/app.ts";
import { openChatActions } from "../../chat/chat-actions.ts";
import { activityWords } from "../../chat/conversation/announcement.ts";
import { conversationItem } from "../../chat/conversation/conversation-items.ts";
import { conversationStyles } from "../../chat/conversation/conversation-styles.ts";
import { browserFrames, type FrameBatch, openFrameBatch } from "../../chat/frame-batch.ts";
import { type OpenConversation, openConversation } from "../../chat/open-conversation.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";

const drawEveryMs = 30;
// nothing is sent from here
const keepsNothing = { getItem: () => null, setItem() {}, removeItem() {} };

export class StewardRunStream extends LitElement {
  static override properties = {
    app: { attribute: false },
    sessionKey: { attribute: false },
    turn: { attribute: false },
    isLive: { attribute: false },
  };
  static override styles = [
    controls,
    conversationStyles,
    css`
      :host { display: block; }
      .item:first-child { margin-top: 0; }
      .item.answer { font-size: var(--text-m); }
    `,
  ];
  declare app: App;
  declare sessionKey: string;
  /** Undefined while it has not begun. */
  declare turn: string | undefined;
  /** It is under way: what waits for an answer is shown elsewhere on the page. */
  declare isLive: boolean;
  private opened: OpenConversation | undefined;
  private batch: FrameBatch | undefined;
  private readonly actions = openChatActions({
    app: () => this.app,
    conversation: () => this.opened,
    outbox: () => undefined,
    takeBack: () => {},
    sent: () => {},
  });

  constructor() {
    super();
    this.isLive = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { app, sessionKey } = this;
    this.batch = openFrameBatch(browserFrames, drawEveryMs, () => this.requestUpdate());
    this.opened = openConversation(
      {
        link: app.link,
        storage: keepsNothing,
        newKey: () => "",
        wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      },
      sessionKey,
      () => app.approvals.value,
    );
    this.opened.state.subscribe(this.batch.mark);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.batch?.close();
    this.opened?.close();
    this.opened = undefined;
  }

  // before its first run a task may have had no conversation to read
  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("turn") && this.opened?.state.value.phase === "missing") this.opened.reopen();
  }

  override render(): TemplateResult {
    const state = this.opened?.state.value;
    if (!state || state.phase === "loading")
      return html`<p class="activity" role="status" aria-busy="true">${icon("spinner", 15)} Loading…</p>`;
    if (state.phase !== "ready") return html`<p class="hint">${state.problem ?? "There is nothing to read yet."}</p>`;
    const items = this.shownItems(state.conversation);
    const activity = this.isLive
      ? (activityWords(state.conversation) ?? this.beginning(state.conversation))
      : undefined;
    const isRead = state.conversation.items.some(({ turn }) => turn !== undefined && turn === this.turn);
    if (items.length === 0 && !activity && isRead && !this.isLive)
      return html`<p class="hint">It answered without doing anything else.</p>`;
    if (items.length === 0 && !activity)
      return html`<p class="hint">${this.isLive ? "Waiting to begin." : "Its steps stand in the whole conversation."}</p>`;
    return html`<div role="log" aria-label="What it does">
      ${repeat(
        items,
        ({ id }) => id,
        (item) =>
          conversationItem(item, {
            app: this.app,
            actions: this.actions,
            isBusy: true,
            isWaiting: false,
            isOfTask: true,
          }),
      )}
      ${activity ? html`<p class="activity">${icon("spinner", 15)} ${activity}</p>` : nothing}
    </div>`;
  }

  private beginning({ waiting, turn }: Conversation): string | undefined {
    return waiting.length > 0 && !turn ? "Waiting to begin…" : undefined;
  }

  // what it was asked, what it cost and, of a run that is over, what it answered stand beside it on the page
  private shownItems({ items, turn }: Conversation): readonly ConversationItem[] {
    const wanted = this.turn ?? (this.isLive ? turn?.id : undefined);
    const steps = items.filter((item) => {
      if (wanted === undefined || item.turn !== wanted) return false;
      if (item.kind === "person" || item.kind === "cost") return false;
      return !(this.isLive && item.kind === "approval" && item.decision === undefined);
    });
    return !this.isLive && steps.at(-1)?.kind === "answer" ? steps.slice(0, -1) : steps;
  }
}

customElements.define("steward-run-stream", StewardRunStream);
