// One change of a note: who, when, in which conversation, and what it changed: the first line of it, and all when it is unfolded.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import type { App } from "../../app/app.ts";
import type { Answered, Loading } from "../../settings/loading.ts";
import { loading } from "../../settings/loading.ts";
import { watch } from "../../state/watch.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { formatDateTime } from "../../words.ts";
import { viewPath } from "../memory-view.ts";
import { conversationWords } from "../memory-words.ts";
import { deedOfTexts, firstChangedLine } from "./change-line.ts";
import { changeStyles, changeWell } from "./change-well.ts";
import { readNote } from "./read-note.ts";

type Change = MethodResult<"notes.history">["changes"][number];
type Texts = { before: string; after: string };

export class StewardNoteChange extends LitElement {
  static override properties = {
    app: { attribute: false },
    group: { attribute: false },
    path: { attribute: false },
    change: { attribute: false },
    isNewest: { attribute: false },
    texts: { state: true },
  };
  static override styles = [
    controls,
    changeStyles,
    css`
      :host { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-1); }
      .head { display: flex; align-items: center; gap: var(--space-1) var(--space-3); min-height: 36px; }
      .head > span { min-width: 0; overflow-wrap: anywhere; }
      .head time { flex: none; font-size: var(--text-s); color: var(--ink-faint); }
      .head .button { flex: none; margin-inline-start: auto; }
      summary { display: flex; align-items: center; gap: var(--space-1); min-height: 28px; font-size: var(--text-s); color: var(--ink-soft); list-style: none; }
      summary::-webkit-details-marker { display: none; }
      summary svg { transition: transform var(--quick); }
      details[open] summary svg { transform: rotate(90deg); }
      summary span { flex: none; }
      summary svg { flex: none; }
      summary .first { margin-inline-start: var(--space-1); flex: 0 1 auto; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-family: var(--font-code); }
      .first.comes { color: var(--good); }
      .first.goes { color: var(--danger); text-decoration: line-through; }
      details > div { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2); padding-top: var(--space-1); }
      @media (max-width: 520px) {
        .head { display: grid; grid-template-columns: minmax(0, 1fr) auto; }
        .head > span { grid-column: 1 / -1; }
        summary { align-items: start; padding-block: var(--space-1); }
        summary svg { margin-top: 3px; }
        /* in the narrow place the words of the note say more */
        summary:has(.first) > .what { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        summary .first { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; white-space: normal; overflow-wrap: anywhere; }
      }
      @media (pointer: coarse) { summary { min-height: 44px; } }
    `,
  ];
  declare app: App;
  declare group: string | undefined;
  declare path: string;
  declare change: Change;
  declare isNewest: boolean;
  /** Undefined: it was not in sight yet. */
  declare texts: Loading<Texts> | undefined;
  private sight: IntersectionObserver | undefined;

  constructor() {
    super();
    watch(this, () => [this.app.sessions]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // a note may have hundreds of them
    this.sight = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) void this.load();
    });
    this.sight.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sight?.disconnect();
  }

  override render(): TemplateResult {
    const { change, group, path } = this;
    return html`<div class="head">
        <span>${change.by === "owner" ? "You" : "Steward"} ${this.deed}${this.renderPlace(change.sessionKey)}</span>
        <time datetime=${new Date(change.atMs).toISOString()} title=${formatDateTime(change.atMs)}>${formatTime(change.atMs)}</time>
        ${
          this.isNewest || change.after === null
            ? nothing
            : html`<a class="button" href=${viewPath({ view: "edit", group, path, version: change.after })}>${icon("undo", 16)} Go back to this</a>`
        }
      </div>
      <details @toggle=${this.unfolded}>
        <summary>${icon("chevron", 14)} <span class="what">What changed</span> ${this.renderFirst()}</summary>
        <div>${this.renderTexts()}</div>
      </details>`;
  }

  private get deed(): string {
    const { change, texts } = this;
    if (change.after === null) return "removed this note";
    if (change.before === null) return "made this note";
    return `${texts?.state === "ready" ? deedOfTexts(texts.value.before, texts.value.after) : "changed"} this`;
  }

  private renderPlace(sessionKey: string | undefined): TemplateResult | typeof nothing {
    if (sessionKey === undefined) return nothing;
    const sessions = this.app.sessions.value;
    const words = conversationWords(sessionKey, sessions);
    const isNamed = sessions.some((session) => session.sessionKey === sessionKey);
    return html` in <a href="/chat/${encodeURIComponent(sessionKey)}">${isNamed ? words : words.toLowerCase()}</a>`;
  }

  private renderFirst(): TemplateResult | typeof nothing {
    const { texts } = this;
    const line = texts?.state === "ready" ? firstChangedLine(texts.value.before, texts.value.after) : undefined;
    return line ? html`<code class="first ${line.kind}">${line.text}</code>` : nothing;
  }

  private renderTexts(): TemplateResult | typeof nothing {
    const { texts } = this;
    if (!texts) return nothing;
    if (texts.state === "loading") return html`<p class="muted small" role="status" aria-busy="true">Loading…</p>`;
    if (texts.state === "failed") return html`<p class="problem" role="alert">${texts.message}</p>`;
    return changeWell("What changed", texts.value.before, texts.value.after);
  }

  private unfolded(event: Event): void {
    // once more, if they could not be read before
    if ((event.target as HTMLDetailsElement).open) void this.load();
  }

  private async load(): Promise<void> {
    this.sight?.disconnect();
    if (this.texts?.state === "ready" || this.texts?.state === "loading") return;
    this.texts = loading;
    const [before, after] = await Promise.all([this.textOf(this.change.before), this.textOf(this.change.after)]);
    if (before.state === "failed") this.texts = before;
    else if (after.state === "failed") this.texts = after;
    else this.texts = { state: "ready", value: { before: before.value.text, after: after.value.text } };
  }

  private async textOf(version: string | null): Promise<Answered<{ text: string }>> {
    if (version === null) return { state: "ready", value: { text: "" } };
    return readNote(this.app.link, { path: this.path, group: this.group }, version);
  }
}

/** The day stands above. */
function formatTime(atMs: number): string {
  return new Intl.DateTimeFormat(undefined, { timeStyle: "short" }).format(atMs);
}

customElements.define("steward-note-change", StewardNoteChange);
