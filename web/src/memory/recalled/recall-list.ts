// What was laid beside which message and why, newest first; with a number it begins at that one.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import { formatAgo } from "../../../../src/contract/words/amounts.ts";
import type { App } from "../../app/app.ts";
import { browserTimers } from "../../gateway/timers.ts";
import { failedNotice, failureWords, type Loading, load, loading } from "../../settings/loading.ts";
import { watch } from "../../state/watch.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { formatDateTime, withoutMarks } from "../../words.ts";
import { followEvents } from "../follow-events.ts";
import { bones } from "../loading-bones.ts";
import { memoryStyles } from "../memory-styles.ts";
import { viewPath } from "../memory-view.ts";
import { conversationWords } from "../memory-words.ts";
import { findCard, findStyles } from "../search/find-card.ts";
import { groupOf } from "./group-of.ts";

type Answer = MethodResult<"memory.recalled">;
type Recall = Answer["recalls"][number];

const atOnce = 30;

export class StewardRecallList extends LitElement {
  static override properties = {
    app: { attribute: false },
    groups: { attribute: false },
    seq: { attribute: false },
    answer: { state: true },
    isLoadingMore: { state: true },
  };
  static override styles = [
    controls,
    memoryStyles,
    findStyles,
    css`
      :host { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-5); }
      article > header { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: var(--space-1) var(--space-3); margin-bottom: var(--space-2); }
      h2 { font-size: var(--text-m); overflow-wrap: anywhere; text-wrap: pretty; display: -webkit-box; overflow: hidden; -webkit-line-clamp: 3; -webkit-box-orient: vertical; }
      article > header p { grid-column: 1; font-size: var(--text-s); color: var(--ink-faint); }
      article > header a { grid-area: 1 / 2 / span 2; align-self: start; }
      .more { display: flex; justify-content: center; }
      .newest { font-size: var(--text-s); }
      .bone { height: 140px; }
      @media (max-width: 520px) {
        article > header { grid-template-columns: minmax(0, 1fr); }
        article > header a { grid-area: auto; justify-self: start; }
      }
    `,
  ];
  declare app: App;
  declare groups: MethodResult<"groups.list">["groups"];
  declare seq: number | undefined;
  declare answer: Loading<Answer>;
  declare isLoadingMore: boolean;
  private unfollow: (() => void) | undefined;

  constructor() {
    super();
    this.groups = [];
    this.answer = loading;
    this.isLoadingMore = false;
    watch(this, () => [this.app.sessions]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // whoever has asked for older ones reads on where they are
    const reload = () => {
      if (this.answer.state !== "ready" || this.answer.value.recalls.length <= atOnce) void this.reload();
    };
    this.unfollow = followEvents(this.app.link, browserTimers, ["memory.recalled", "messages.forgotten"], reload);
    void this.reload();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unfollow?.();
  }

  override render(): TemplateResult {
    const { answer } = this;
    if (answer.state === "failed") return failedNotice(answer.message, () => void this.reload());
    if (answer.state === "loading") return bones(3);
    const { recalls, more } = answer.value;
    const newest =
      this.seq === undefined
        ? nothing
        : html`<p class="newest"><a href=${viewPath({ view: "recalled" })}>Show the newest</a></p>`;
    if (recalls.length === 0) return html`${newest}${renderEmpty()}`;
    return html`${newest}
      ${repeat(
        recalls,
        ({ seq }) => seq,
        (recall) => this.renderRecall(recall),
      )}
      ${
        more
          ? html`<p class="more"><button ?disabled=${this.isLoadingMore} @click=${this.loadMore}>Show older</button></p>`
          : nothing
      }`;
  }

  private renderRecall(recall: Recall): TemplateResult {
    const { seq, atMs, sessionKey, question, finds, tokens } = recall;
    const sessions = this.app.sessions.value;
    const asked = withoutMarks(question).trim() || "A message without words";
    const place = conversationWords(sessionKey, sessions);
    const around = { query: question, group: groupOf(sessionKey, this.groups), sessions };
    return html`<article aria-labelledby="q${seq}">
      <header>
        <h2 id="q${seq}">${asked}</h2>
        <p>
          ${isSameWords(place, asked) ? nothing : html`${place} ·`}
          <time datetime=${new Date(atMs).toISOString()} title=${formatDateTime(atMs)}>${formatAgo(atMs, Date.now())}</time> ·
          ${tokens} tokens
        </p>
        <a class="button" href="/chat/${encodeURIComponent(sessionKey)}/${seq}">${icon("chat", 16)} Open the conversation</a>
      </header>
      <ul class="card rows" aria-label="What was laid beside it">
        ${finds.map((find) => html`<li>${findCard(find, around)}</li>`)}
      </ul>
    </article>`;
  }

  private ask(beforeSeq: number | undefined): Promise<Answer> {
    return this.app.link.call("memory.recalled", { limit: atOnce, ...(beforeSeq !== undefined && { beforeSeq }) });
  }

  private async reload(): Promise<void> {
    const answer = await load(() => this.ask(this.seq === undefined ? undefined : this.seq + 1));
    if (answer.state === "ready" || this.answer.state !== "ready") this.answer = answer;
  }

  private async loadMore(): Promise<void> {
    if (this.answer.state !== "ready") return;
    const { recalls } = this.answer.value;
    this.isLoadingMore = true;
    try {
      const older = await this.ask(recalls.at(-1)?.seq);
      this.answer = { state: "ready", value: { recalls: [...recalls, ...older.recalls], more: older.more } };
    } catch (error) {
      this.app.say(failureWords(error), { tone: "error" });
    }
    this.isLoadingMore = false;
  }
}

/** A conversation is called by the beginning of its first message, shortened. */
function isSameWords(title: string, asked: string): boolean {
  return asked.startsWith(title.replace(/…$/, ""));
}

function renderEmpty(): TemplateResult {
  return html`<div class="empty">
    ${icon("memory")}
    <h2>Nothing was recalled yet</h2>
    <p>
      When a message has to do with something that was noted or said, the few best results are laid beside it for the model.
      What they were, and why, is listed here.
    </p>
  </div>`;
}

customElements.define("steward-recall-list", StewardRecallList);
