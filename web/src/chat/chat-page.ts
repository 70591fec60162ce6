// The Chat page: one conversation, or the beginning of one.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { App } from "../app/app.ts";
import { CallFailed } from "../gateway/gateway-link.ts";
import { watch } from "../state/watch.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { sessionName } from "../words.ts";
import { openChatActions } from "./chat-actions.ts";
import "./composer/composer.ts";
import { emptyConversation } from "../../../src/contract/conversation/conversation.ts";
import type { ComposerActions, StewardComposer } from "./composer/composer.ts";
import { acceptFiles } from "./composer/file-drop.ts";
import type { Choice, ModelList } from "./composer/pickers.ts";
import type { StewardConversation } from "./conversation/conversation-view.ts";
import { lastOwnMessage } from "./conversation/set-aside.ts";
import type { ConversationState } from "./open-conversation.ts";
import type { Outgoing } from "./outbox/outbox.ts";
import type { Upload } from "./outbox/upload.ts";
import { headerStyles, type ModelSize, pageHeader } from "./page-header.ts";
import { phasePage } from "./phase-page.ts";
import { openShownConversation } from "./shown-conversation.ts";
import { newConversation } from "./start-conversation.ts";
import { type Starter, startPage, startStyles } from "./start-page.ts";
import { openStopKey } from "./stop-key.ts";
import { type LineDeps, takeLine } from "./take-line.ts";

const nothingYet: ConversationState = {
  phase: "ready",
  problem: undefined,
  conversation: emptyConversation(newConversation),
  earlier: "none",
};

const pageStyles = css`
  :host { display: block; height: 100%; min-height: 0; }
  .page-body { position: relative; display: flex; flex-direction: column; height: 100%; min-height: 0; }
  steward-conversation, .start, .empty, .loading { flex: 1; min-height: 0; }
  .empty { align-content: center; }
  .foot { width: 100%; max-width: 768px; margin: 0 auto; padding: 0 var(--space-4) max(var(--space-4), env(safe-area-inset-bottom)); }
  .loading {
    display: flex; align-items: center; justify-content: center; gap: var(--space-2); color: var(--ink-faint);
    /* a quick answer shows no sign of waiting */
    animation: appear 0s 300ms both;
  }
  @keyframes appear { from { visibility: hidden; } }
  .dropping {
    position: absolute; inset: var(--space-2); z-index: 2; display: grid; place-content: center; justify-items: center; gap: var(--space-2);
    color: var(--accent); background: color-mix(in oklab, var(--accent-soft) 92%, transparent); pointer-events: none;
    border: 2px dashed var(--accent); border-radius: var(--radius-l);
  }
  @media (max-width: 720px) { .foot { padding-inline: var(--space-2); padding-bottom: max(var(--space-2), env(safe-area-inset-bottom)); } }
`;

export class StewardChatPage extends LitElement {
  static override properties = {
    app: { attribute: false },
    route: { attribute: false },
    state: { state: true },
    outgoing: { state: true },
    models: { state: true },
    choice: { state: true },
    isViewLoaded: { state: true },
  };
  static override styles = [controls, pageStyles, headerStyles, startStyles];
  declare app: App;
  declare route: readonly string[];
  declare state: ConversationState;
  declare outgoing: readonly Outgoing[];
  declare models: { list: ModelList; sizes: readonly ModelSize[] } | undefined;
  /** For a conversation that has not begun. */
  declare choice: Choice;
  /** What shows a conversation is the larger part of the page and comes when there is one to show. */
  declare isViewLoaded: boolean;
  private readonly drop = acceptFiles(this, (files) => void this.composer?.addFiles(files));
  private readonly shown = openShownConversation({
    app: () => this.app,
    choice: () => this.choice,
    started: () => {
      this.choice = { model: undefined, thinking: undefined };
    },
    draw: () => this.draw(),
  });
  private readonly stopKey = openStopKey({
    app: () => this.app,
    isWorking: () => this.state.conversation.turn !== undefined,
    stop: () => void this.stop(),
  });
  private readonly lines: LineDeps = {
    app: () => this.app,
    conversation: () => this.state.conversation,
    send: (text, uploads) => this.send(text, uploads),
    giveBack: (text, uploads) => this.composer?.write(text, uploads),
    answer: (answer) => void this.view?.answer(answer),
    showHelp: () => this.dispatchEvent(new CustomEvent("open-help", { bubbles: true, composed: true })),
    stop: () => void this.stop(),
  };
  private readonly actions = openChatActions({
    app: () => this.app,
    conversation: () => this.conversation,
    outbox: () => this.shown.outbox,
    takeBack: (message) => this.composer?.write(message.text, message.uploads),
    sent: () => this.view?.goToEnd(),
  });

  constructor() {
    super();
    this.state = nothingYet;
    this.outgoing = [];
    this.choice = { model: undefined, thinking: undefined };
    this.isViewLoaded = false;
    watch(this, () => [this.app.sessions]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.stopKey.pressed);
    if (this.hasUpdated) this.requestUpdate("route");
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.stopKey.pressed);
    this.stopKey.forget();
    this.shown.leave();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!this.models && changed.has("app")) void this.loadModels();
    const { turn } = this.state.conversation;
    if (!turn || turn.stopping || changed.has("route")) this.stopKey.forget();
    if (!changed.has("route")) return;
    const [key] = this.route;
    if (key === undefined) this.shown.openNew();
    else if (this.conversation?.key !== key) this.shown.open(key);
  }

  // a finger would be answered by the on-screen keyboard; a browser that sees no pointer at all still has keys
  override updated(changed: PropertyValues<this>): void {
    if (changed.has("route") && !matchMedia("(pointer: coarse)").matches) this.composer?.focus();
  }

  private get composer(): StewardComposer | null {
    return this.renderRoot.querySelector("steward-composer");
  }

  private get view(): StewardConversation | null {
    return this.renderRoot.querySelector("steward-conversation");
  }

  private get conversation() {
    return this.shown.current;
  }

  private draw(): void {
    if (this.conversation) this.loadView();
    this.state = this.conversation?.state.value ?? nothingYet;
    this.outgoing = this.shown.outbox?.messages.value ?? [];
  }

  private readonly loadView = (): void => {
    if (!this.isViewLoaded)
      void import("./conversation/conversation-view.ts").then(() => {
        this.isViewLoaded = true;
      });
  };

  private async loadModels(): Promise<void> {
    try {
      const { models, chosen } = await this.app.link.call("models.list", {});
      this.models = { list: { names: models.map(({ name }) => name), chosen }, sizes: models };
    } catch {
      // without the list there is nothing to pick from; the model of the settings answers
    }
  }

  override render(): TemplateResult {
    const { phase, conversation } = this.state;
    const isEmpty = this.conversation === undefined && this.outgoing.length === 0;
    return html`<div class="page-body">
      ${isEmpty ? nothing : this.renderHeader()}
      ${isEmpty ? startPage(this.begin) : this.renderConversation()}
      ${phase === "missing" || conversation.deleted ? nothing : this.renderComposer()}
      <div class="dropping" ?hidden=${!this.drop.isOver}>${icon("attach", 28)} Drop to add to your message</div>
    </div>`;
  }

  // figures cost more to write than the rest of the page; while an answer grows they stay the same
  private renderHeader(): unknown {
    const { conversation } = this.state;
    const name = this.conversationName;
    const { spending, contextTokens, lastModel } = conversation;
    return guard([name, spending, contextTokens, lastModel, this.models], () =>
      pageHeader(name, conversation, this.models?.sizes ?? []),
    );
  }

  private get conversationName(): string {
    const session = this.app.sessions.value.find(({ sessionKey }) => sessionKey === this.conversation?.key);
    const { key, title = "" } = this.state.conversation;
    return sessionName(session ?? { sessionKey: key, title });
  }

  private renderConversation(): TemplateResult {
    const state = this.isViewLoaded ? this.state : { ...this.state, phase: "loading" as const };
    const instead = phasePage(state, {
      startNew: () => this.app.go("/chat"),
      tryAgain: () => this.conversation?.reopen(),
    });
    return (
      instead ??
      html`<steward-conversation
        .app=${this.app}
        .state=${this.state}
        .outgoing=${this.outgoing}
        .actions=${this.actions}
        .sought=${Number(this.route[1]) || undefined}
      ></steward-conversation>`
    );
  }

  private renderComposer(): TemplateResult {
    const { turn, modelWish, thinking } = this.state.conversation;
    return html`<div class="foot" @input=${this.loadView}>
      <steward-composer
        .place=${this.conversation?.key ?? newConversation}
        .isWorking=${turn !== undefined}
        .isWaiting=${turn?.waitingSinceMs !== undefined}
        .isStopping=${turn?.stopping ?? false}
        .models=${this.models?.list}
        .model=${this.conversation ? modelWish : this.choice.model}
        .thinking=${this.conversation ? thinking : this.choice.thinking}
        .actions=${this.composing}
      ></steward-composer>
    </div>`;
  }

  private readonly composing: ComposerActions = {
    send: (text, uploads) => void takeLine(this.lines, text, uploads),
    stop: () => void this.stop(),
    chooseModel: (model) => void this.configure({ model }),
    chooseThinking: (thinking) => void this.configure({ thinking }),
    editLast: () => {
      const last = lastOwnMessage(this.state.conversation.items);
      if (last) void this.view?.edit(last.id);
    },
  };

  private send(text: string, uploads: readonly Upload[]): void {
    this.loadView();
    if (this.conversation) this.conversation.send({ text, uploads });
    else this.shown.outbox?.add({ text, uploads, afterSeq: 0 });
    this.view?.goToEnd();
  }

  private readonly begin = (starter: Starter): void => {
    if (starter.isWhole) this.send(starter.text, []);
    else this.composer?.write(starter.text);
  };

  private async stop(): Promise<void> {
    const key = this.conversation?.key;
    if (key !== undefined) await this.orSay(this.app.link.call("chat.abort", { sessionKey: key }));
  }

  private async configure(change: { model?: string | null; thinking?: Choice["thinking"] | null }): Promise<void> {
    const key = this.conversation?.key;
    if (key !== undefined) return this.orSay(this.app.link.call("sessions.configure", { sessionKey: key, ...change }));
    const { model = this.choice.model, thinking = this.choice.thinking } = change;
    this.choice = { model: model ?? undefined, thinking: thinking ?? undefined };
  }

  private async orSay(call: Promise<unknown>): Promise<void> {
    try {
      await call;
    } catch (cause) {
      if (!(cause instanceof CallFailed)) throw cause;
      this.app.say(cause.message, { tone: "error" });
    }
  }
}

customElements.define("steward-chat-page", StewardChatPage);
