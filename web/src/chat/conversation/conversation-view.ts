// The conversation itself: its items in order, at the end as long as the reader is there.
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import type { ConversationItem } from "../../../../src/contract/conversation/conversation.ts";
import type { App } from "../../app/app.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { isBackground } from "../../words.ts";
import type { ChatActions } from "../chat-actions.ts";
import type { ConversationState } from "../open-conversation.ts";
import { type Outgoing, stillUnseen } from "../outbox/outbox.ts";
import { bringIntoSight, placeOfSeq } from "../sought-message.ts";
import { activityWords, announcementOf } from "./announcement.ts";
import { conversationItem, outgoingItem, type Surroundings } from "./conversation-items.ts";
import { conversationStyles } from "./conversation-styles.ts";
import type { StewardPersonMessage } from "./person-message.ts";

// closer than this counts as being at the end
const nearEndPx = 40;
const unfoldedMs = 300;

export class StewardConversation extends LitElement {
  static override properties = {
    app: { attribute: false },
    state: { attribute: false },
    outgoing: { attribute: false },
    actions: { attribute: false },
    sought: { attribute: false },
    isAtEnd: { state: true },
    hasNewBelow: { state: true },
    announcement: { state: true },
  };
  static override styles = [controls, conversationStyles];
  declare app: App;
  declare state: ConversationState;
  declare outgoing: readonly Outgoing[];
  declare actions: ChatActions;
  /** The number of a message to go to. */
  declare sought: number | undefined;
  declare isAtEnd: boolean;
  declare hasNewBelow: boolean;
  declare announcement: string;
  private readonly growth = new ResizeObserver(() => this.stayAtEnd());
  /** How far the reader is from the end while earlier messages are put in front. */
  private fromEndPx: number | undefined;
  /** What is not reached yet, and the first item of what was read when earlier ones were asked for. */
  private seeking: { seq: number; askedFrom?: string | undefined } | undefined;

  constructor() {
    super();
    this.outgoing = [];
    this.isAtEnd = true;
    this.hasNewBelow = false;
    this.announcement = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => {
      this.growth.observe(this.column);
      this.growth.observe(this.scroller);
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.growth.disconnect();
  }

  private get scroller(): HTMLElement {
    return this.renderRoot.querySelector(".scroller") as HTMLElement;
  }

  private get column(): HTMLElement {
    return this.renderRoot.querySelector(".column") as HTMLElement;
  }

  /** Goes to the end and stays there. */
  goToEnd(): void {
    this.isAtEnd = true;
    this.hasNewBelow = false;
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  /** Answers the one question that waits, as its own buttons do. */
  async answer(answer: "approve" | "deny"): Promise<void> {
    await this.renderRoot.querySelector("steward-approval-card")?.[answer]();
  }

  async edit(id: string): Promise<void> {
    const message = [...this.renderRoot.querySelectorAll<StewardPersonMessage>("steward-person-message")];
    await message.findLast((one) => one.item.id === id)?.edit();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("state");
    const isOther = before !== undefined && before.conversation.key !== this.state.conversation.key;
    if (changed.has("sought") || isOther) this.seeking = this.sought === undefined ? undefined : { seq: this.sought };
    if (!before) return;
    const words = announcementOf(before.conversation, this.state.conversation);
    if (words !== undefined) this.announcement = words;
    if (isOther) {
      this.isAtEnd = true;
      this.hasNewBelow = false;
    } else if (
      !this.isAtEnd &&
      before.conversation.items !== this.state.conversation.items &&
      before.earlier !== "loading"
    ) {
      this.hasNewBelow = true;
    }
    const isPuttingInFront = before.earlier === "loading" && this.state.earlier !== "loading";
    if (isPuttingInFront) this.fromEndPx = this.scroller.scrollHeight - this.scroller.scrollTop;
  }

  override updated(): void {
    if (this.fromEndPx !== undefined) this.scroller.scrollTop = this.scroller.scrollHeight - this.fromEndPx;
    this.fromEndPx = undefined;
    if (this.seeking) this.seek(this.seeking.seq);
  }

  private seek(seq: number): void {
    const { earlier, conversation } = this.state;
    const place = placeOfSeq(conversation.items, seq);
    const first = conversation.items[0]?.id;
    if (earlier === "loading" || first === undefined) return;
    // a reading that brought nothing is not tried again
    if (place < 0 && earlier === "some" && this.seeking?.askedFrom !== first) {
      this.seeking = { seq, askedFrom: first };
      this.actions.loadEarlier();
      return;
    }
    this.seeking = undefined;
    const element = this.renderRoot.querySelectorAll(".column > .item")[Math.max(0, place)];
    if (!element) return;
    this.isAtEnd = false;
    bringIntoSight(element);
    // a conversation that fits into the window is at its end all the same
    requestAnimationFrame(() => this.scrolled());
  }

  override render(): TemplateResult {
    const { conversation } = this.state;
    const { items, waiting } = conversation;
    const outgoing = this.outgoing.length === 0 ? [] : stillUnseen(this.outgoing, receivedOf([...items, ...waiting]));
    const activity = activityWords(conversation);
    return html`<div class="scroller" @scroll=${this.scrolled} @click=${this.clicked}>
        <div class="column" role="log" aria-live="off" aria-label="Conversation">
          ${this.renderEarlier()}
          ${repeat(
            items,
            ({ id }) => id,
            (item) => this.renderItem(item),
          )}
          ${activity ? html`<p class="activity">${icon("spinner", 15)} ${activity}</p>` : nothing}
          ${waiting.map((item) => conversationItem(item, this.surroundings(true)))}
          ${outgoing.map((message) => outgoingItem(message, this.actions))}
        </div>
      </div>
      <button class="pill" ?hidden=${this.isAtEnd} @click=${this.goToEnd}>
        <span>${icon("chevron", 15)}</span> ${this.hasNewBelow ? "New below" : "To the end"}
      </button>
      <p class="visually-hidden" role="status">${this.announcement}</p>`;
  }

  private renderEarlier(): TemplateResult | typeof nothing {
    const { earlier } = this.state;
    if (earlier === "none") return nothing;
    return html`<button class="quiet earlier" ?disabled=${earlier === "loading"} @click=${() => this.actions.loadEarlier()}>
      ${earlier === "loading" ? icon("spinner", 15) : nothing} Show earlier messages
    </button>`;
  }

  // an item that did not change is not even compared with what is shown of it
  private renderItem(item: ConversationItem): unknown {
    const { turn } = this.state.conversation;
    return guard([item, turn === undefined], () => conversationItem(item, this.surroundings(false)));
  }

  private surroundings(isWaiting: boolean): Surroundings {
    const isBusy = this.state.conversation.turn !== undefined;
    const isOfTask = isBackground(this.state.conversation.key);
    return { app: this.app, actions: this.actions, isBusy, isWaiting: isWaiting && isBusy, isOfTask };
  }

  private scrolled(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.scroller;
    this.isAtEnd = scrollHeight - scrollTop - clientHeight < nearEndPx;
    if (this.isAtEnd) this.hasNewBelow = false;
  }

  // what a reader unfolds should stay where it is, not push itself out of sight
  private clicked(event: MouseEvent): void {
    if (!event.composedPath().some((node) => node instanceof HTMLElement && node.tagName === "SUMMARY")) return;
    this.isAtEnd = false;
    // by then it is unfolded, and it is known whether there is an end to go to
    setTimeout(() => this.scrolled(), unfoldedMs);
  }

  private stayAtEnd(): void {
    if (this.isAtEnd) this.scroller.scrollTop = this.scroller.scrollHeight;
    else this.scrolled();
  }
}

function receivedOf(items: readonly ConversationItem[]): { seq: number; text: string }[] {
  return items.filter((item) => item.kind === "person");
}

customElements.define("steward-conversation", StewardConversation);
