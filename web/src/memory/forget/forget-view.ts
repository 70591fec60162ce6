// Everything that speaks of something, shown before it goes for good.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Amount } from "../../../../src/contract/memory/forgotten-words.ts";
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import { count } from "../../../../src/contract/words/amounts.ts";
import type { App } from "../../app/app.ts";
import { failedNotice, failureWords, type Loading, load, loading } from "../../settings/loading.ts";
import { watch } from "../../state/watch.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { bones } from "../loading-bones.ts";
import { memoryStyles } from "../memory-styles.ts";
import { viewPath } from "../memory-view.ts";
import { conversationWords } from "../memory-words.ts";
import { amountWords, groupMentions, type Mention, type MentionGroup, mentionId, toForget } from "./group-mentions.ts";
import { mentionGroup, mentionStyles } from "./mention-group.ts";

type Mentions = MethodResult<"memory.mentions">;
type Forgotten = MethodResult<"memory.forget">;

export class StewardForgetView extends LitElement {
  static override properties = {
    app: { attribute: false },
    group: { attribute: false },
    about: { attribute: false },
    answer: { state: true },
    kept: { state: true },
    keepsEarlier: { state: true },
    forgotten: { state: true },
    isBusy: { state: true },
    problem: { state: true },
  };
  static override styles = [
    controls,
    memoryStyles,
    mentionStyles,
    css`
      :host { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-4); }
      form { display: grid; gap: var(--space-1); }
      .ask { display: flex; gap: var(--space-2); }
      .foot { position: sticky; bottom: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-3); padding: var(--space-3) var(--space-4); box-shadow: var(--shadow-2); margin-bottom: var(--space-3); }
      .ask button { flex: none; }
      .earlier { display: flex; align-items: center; gap: var(--space-2); cursor: pointer; }
      .earlier input { flex: none; }
      @media (max-width: 520px) { .ask { flex-wrap: wrap; } .ask button { flex: 1 0 auto; } }
      .done { display: grid; gap: var(--space-1); }
      .done ul { padding-inline-start: var(--space-4); font-size: var(--text-s); color: var(--ink-soft); overflow-wrap: anywhere; }
    `,
  ];
  declare app: App;
  declare group: string | undefined;
  declare about: string;
  /** Undefined: nothing was looked for. */
  declare answer: Loading<Mentions> | undefined;
  /** What is not to go, by its id: everything else does. */
  declare kept: ReadonlySet<string>;
  declare keepsEarlier: boolean;
  declare forgotten: Forgotten | undefined;
  declare isBusy: boolean;
  declare problem: string | undefined;

  constructor() {
    super();
    this.about = "";
    this.kept = new Set();
    this.keepsEarlier = false;
    this.isBusy = false;
    watch(this, () => [this.app.sessions]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.about !== "") void this.look();
  }

  override firstUpdated(_: PropertyValues<this>): void {
    if (this.about === "" && !matchMedia("(pointer: coarse)").matches)
      this.renderRoot.querySelector("input")?.focus({ preventScroll: true });
  }

  override render(): TemplateResult {
    return html`<form @submit=${this.submit}>
        <label class="small" for="about"><b>Forget everything about</b></label>
        <div class="ask">
          <input id="about" type="text" required minlength="2" maxlength="200" autocomplete="off" placeholder="A name, or a thing" .value=${this.about} />
          <button>${icon("search", 16)} Show what would go</button>
        </div>
        <p class="hint">You see every line and message that would go, and nothing goes before you say so.</p>
      </form>
      ${this.forgotten ? renderForgotten(this.forgotten) : nothing} ${this.renderAnswer()}`;
  }

  private renderAnswer(): TemplateResult | typeof nothing {
    const { answer } = this;
    if (!answer) return nothing;
    if (answer.state === "failed") return failedNotice(answer.message, () => void this.look());
    if (answer.state === "loading") return bones(2);
    const { mentions, earlierVersions, more } = answer.value;
    if (mentions.length === 0 && earlierVersions === 0) return this.renderNothing();
    const surroundings = {
      group: this.group,
      about: this.about,
      nameOf: (one: MentionGroup) => one.path ?? conversationWords(one.sessionKey ?? "", this.app.sessions.value),
      isChosen: (mention: Mention) => !this.kept.has(mentionId(mention)),
      choose: (mentions: readonly Mention[], isChosen: boolean) => this.choose(mentions, isChosen),
    };
    const goes = mentions.filter(({ stays }) => stays === undefined);
    const hasSaid = goes.some(({ path }) => path === undefined);
    return html`${groupMentions(goes).map((one) => mentionGroup(one, surroundings))}
      ${hasSaid ? html`<p class="hint">What Steward did to answer a message goes with it.</p>` : nothing}
      ${this.renderEarlier(earlierVersions)} ${renderStaying(mentions)}
      ${
        more
          ? html`<p class="caution">${icon("warning", 16)} <span>There is more than fits here. Forget these, then look again.</span></p>`
          : nothing
      }
      ${goes.length + earlierVersions > 0 ? this.renderFoot() : nothing}`;
  }

  /** What an undo or the history of a note would bring back. */
  private renderEarlier(amount: number): TemplateResult | typeof nothing {
    if (amount === 0) return nothing;
    return html`<label class="card earlier">
      <input type="checkbox" .checked=${!this.keepsEarlier} @change=${() => (this.keepsEarlier = !this.keepsEarlier)} />
      ${icon("undo", 16)}
      <span><b>${count(amount, "earlier version of notes", "earlier versions of notes")}</b> <span class="small muted">—
          kept for undo and history; ${amount === 1 ? "it mentions" : "they mention"} it too.</span></span>
    </label>`;
  }

  private renderFoot(): TemplateResult {
    const amount = this.chosenAmount;
    const isNone = Object.values(amount).every((size) => size === 0);
    return html`<div class="card foot">
      <p class="grow small" role="status">${amountWords(amount)} chosen.</p>
      <button class="danger primary" ?disabled=${this.isBusy || isNone} @click=${this.forget}>
        ${icon(this.isBusy ? "spinner" : "trash", 16)} Forget
      </button>
      ${this.problem === undefined ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`}
    </div>`;
  }

  private renderNothing(): TemplateResult {
    if (this.forgotten) return html`<p class="muted small">Nothing else speaks of “${this.about}”.</p>`;
    return html`<div class="empty">
      ${icon("search")}
      <h2>Nothing speaks of “${this.about}”</h2>
      <p>Neither a note nor a message has this word. Try another form of it, such as a last name or a nickname.</p>
    </div>`;
  }

  private get chosen(): readonly Mention[] {
    const { answer } = this;
    return answer?.state === "ready"
      ? answer.value.mentions.filter((mention) => mention.stays === undefined && !this.kept.has(mentionId(mention)))
      : [];
  }

  private get chosenAmount(): Amount {
    const { lines, messages } = toForget(this.chosen);
    const earlierVersions =
      this.answer?.state === "ready" && !this.keepsEarlier ? this.answer.value.earlierVersions : 0;
    return { lines: lines.length, messages: messages.length, earlierVersions };
  }

  private choose(mentions: readonly Mention[], isChosen: boolean): void {
    const kept = new Set(this.kept);
    for (const mention of mentions) {
      if (isChosen) kept.delete(mentionId(mention));
      else kept.add(mentionId(mention));
    }
    this.kept = kept;
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const about = this.renderRoot.querySelector("input")?.value.trim() ?? "";
    if (about.length < 2) return;
    // another word is another address, and with it another view
    if (about === this.about) void this.look();
    else this.app.go(viewPath({ view: "forget", group: this.group, about }));
  }

  private async look(): Promise<void> {
    const { about, group } = this;
    this.answer = loading;
    this.answer = await load(() =>
      this.app.link.call("memory.mentions", { about, ...(group !== undefined && { group }) }),
    );
  }

  private async forget(): Promise<void> {
    const { about, group } = this;
    const what = { ...toForget(this.chosen), earlierVersions: this.chosenAmount.earlierVersions > 0 };
    const hasMessages = what.messages.length > 0;
    const isSure = await this.app.confirm({
      title: "Forget this for good?",
      text: `${amountWords(this.chosenAmount, ["goes", "go"])} for good${hasMessages ? ", with what Steward did to answer" : ""}. This cannot be taken back.`,
      ...{ yes: "Forget for good", no: "Keep everything" },
      tone: "error",
    });
    if (!isSure) return;
    this.isBusy = true;
    this.problem = undefined;
    try {
      this.forgotten = await this.app.link.call("memory.forget", {
        ...{ about, ...what },
        ...(group !== undefined && { group }),
      });
      await this.look();
    } catch (error) {
      this.problem = failureWords(error);
    }
    this.isBusy = false;
  }
}

/** What speaks of it, too, and is not for the memory to take away. */
function renderStaying(mentions: readonly Mention[]): TemplateResult | typeof nothing {
  const staying = mentions.filter(({ stays }) => stays !== undefined);
  if (staying.length === 0) return nothing;
  return html`<div class="card done">
    <p><b>This speaks of it too, and stays:</b></p>
    <ul>${staying.map(
      ({ path, line, text, stays }) =>
        html`<li>${path === undefined ? text : `${path}, line ${line}: ${text}`}<br />${stays}</li>`,
    )}</ul>
  </div>`;
}

function renderForgotten({ stayed, ...amount }: Forgotten): TemplateResult {
  return html`<div class="card done" role="status">
    <p><b>${amountWords(amount)} gone.</b></p>
    ${
      stayed.length === 0
        ? nothing
        : html`<p class="small">What stayed, and why:</p>
            <ul>${stayed.map((why) => html`<li>${why}</li>`)}</ul>`
    }
  </div>`;
}

customElements.define("steward-forget-view", StewardForgetView);
