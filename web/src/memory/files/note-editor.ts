// A note changed by hand: written, looked over as what goes and what comes, and only then saved. Nothing typed is lost on the way.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { App } from "../../app/app.ts";
import { CallFailed } from "../../gateway/gateway-link.ts";
import { failedNotice, failureWords, type Loading, loading } from "../../settings/loading.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { groupChip } from "../group-chip.ts";
import { bones } from "../loading-bones.ts";
import { memoryStyles } from "../memory-styles.ts";
import { viewPath } from "../memory-view.ts";
import { changeStyles, changeWell } from "./change-well.ts";
import { keepDraft, keptDraft } from "./note-drafts.ts";
import { type NotePlace, type NoteText, readNote, readToWrite, wished } from "./read-note.ts";

export class StewardNoteEditor extends LitElement {
  static override properties = {
    app: { attribute: false },
    group: { attribute: false },
    path: { attribute: false },
    version: { attribute: false },
    base: { state: true },
    was: { state: true },
    text: { state: true },
    isLookedOver: { state: true },
    isBusy: { state: true },
    problem: { state: true },
  };
  static override styles = [
    controls,
    memoryStyles,
    changeStyles,
    css`
      :host { display: block; }
      .all { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-3); }
      textarea { min-height: 52vh; field-sizing: content; padding: var(--space-3) var(--space-4); font-family: var(--font-code); font-size: var(--text-s); line-height: 1.6; border-radius: var(--radius-l); }
      .foot { position: sticky; bottom: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2); padding: var(--space-3) 0; background: var(--paper); }
      h2 { font-size: var(--text-m); }
      .bone { height: 52vh; }
      @media (pointer: coarse) { textarea { font-size: 16px; } }
    `,
  ];
  declare app: App;
  declare group: string | undefined;
  declare path: string;
  /** An earlier one, to be made the present one again. */
  declare version: string | undefined;
  /** What stands in the file. */
  declare base: Loading<NoteText>;
  /** What stood there when the writing began, if somebody else has changed it meanwhile. */
  declare was: NoteText | undefined;
  declare text: string;
  declare isLookedOver: boolean;
  declare isBusy: boolean;
  declare problem: string | undefined;

  constructor() {
    super();
    this.base = loading;
    this.text = "";
    this.isLookedOver = false;
    this.isBusy = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.read();
  }

  private get place(): NotePlace {
    return { path: this.path, group: this.group };
  }

  private get back(): string {
    return viewPath({ view: "file", ...this.place });
  }

  override render(): TemplateResult {
    const { base } = this;
    return html`<a class="back" href=${this.back}>${icon("chevron", 16)} ${this.path}</a>
      <header class="top"><h1>${this.isLookedOver ? "Look over the change" : `Edit ${this.path}`}</h1>${groupChip(this.group)}</header>
      ${base.state === "ready" ? this.renderBase(base.value) : this.renderWithout(base)}`;
  }

  private renderWithout(base: Exclude<Loading<NoteText>, { state: "ready" }>): TemplateResult {
    return base.state === "failed" ? failedNotice(base.message, () => void this.read()) : bones(1);
  }

  private renderBase(base: NoteText): TemplateResult {
    return html`<div class="all" @keydown=${this.pressed}>
      ${this.isLookedOver ? this.renderChange(base) : this.renderText(base)}
    </div>`;
  }

  private renderText(base: NoteText): TemplateResult {
    const isChanged = this.text !== base.text;
    return html`<textarea aria-label="Text of ${this.path}" rows="20" spellcheck="true" .value=${this.text} @input=${this.typed}></textarea>
      <div class="foot">
        <button class="primary" ?disabled=${!isChanged} @click=${this.lookOver}>${icon("check", 16)} Look over the change</button>
        ${
          isChanged
            ? html`<button class="quiet" @click=${this.discard}>Discard</button>`
            : html`<a class="button quiet" href=${this.back}>Cancel</a>`
        }
      </div>`;
  }

  private renderChange(base: NoteText): TemplateResult {
    return html`${this.was ? this.renderMeanwhile(this.was, base) : nothing}
      <h2>${this.was ? "What saving yours would change now" : "What changes"}</h2>
      ${changeWell("What changes", base.text, this.text)}
      ${this.problem === undefined ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`}
      <div class="foot">
        <button class="primary" ?disabled=${this.isBusy || this.text === base.text} @click=${this.save}>
          ${icon(this.isBusy ? "spinner" : "check", 16)} ${this.was ? "Save mine all the same" : "Save"}
        </button>
        <button ?disabled=${this.isBusy} @click=${this.goOnWriting}>${icon("edit", 16)} Keep editing</button>
        <button class="quiet" ?disabled=${this.isBusy} @click=${this.discard}>Discard</button>
      </div>`;
  }

  private renderMeanwhile(was: NoteText, base: NoteText): TemplateResult {
    return html`<p class="caution" role="alert">
        ${icon("warning", 18)}
        <span>This file was changed meanwhile. What you wrote is still here and nothing of it was saved: take what you want of the other change into it, or save it as it is.</span>
      </p>
      <h2>What was changed meanwhile</h2>
      ${changeWell("What was changed meanwhile", was.text, base.text)}`;
  }

  private typed(event: InputEvent): void {
    this.text = (event.target as HTMLTextAreaElement).value;
    this.keep();
  }

  private keep(): void {
    if (this.base.state !== "ready") return;
    const base = this.base.value;
    keepDraft(this.app, this.place, this.text === base.text ? undefined : { text: this.text, base });
  }

  private lookOver(): void {
    this.problem = undefined;
    this.isLookedOver = true;
    this.dispatchEvent(new CustomEvent("page-shown", { bubbles: true, composed: true }));
  }

  private goOnWriting(): void {
    this.was = undefined;
    this.isLookedOver = false;
    this.keep();
    void this.updateComplete.then(() => this.renderRoot.querySelector("textarea")?.focus());
  }

  private pressed(event: KeyboardEvent): void {
    const isWish = (event.ctrlKey || event.metaKey) && (event.key === "s" || event.key === "Enter");
    if (!isWish || this.isBusy || this.base.state !== "ready") return;
    event.preventDefault();
    if (this.text === this.base.value.text) return;
    if (this.isLookedOver) void this.save();
    else this.lookOver();
  }

  private async discard(): Promise<void> {
    const isSure = await this.app.confirm({
      title: "Discard what you wrote?",
      text: `${this.path} stays as it is.`,
      ...{ yes: "Discard what I wrote", no: "Keep it" },
      tone: "error",
    });
    if (!isSure) return;
    keepDraft(this.app, this.place, undefined);
    this.app.go(this.back);
  }

  private async read(): Promise<void> {
    this.base = loading;
    const base = await readToWrite(this.app.link, this.place);
    const earlier = this.version === undefined ? undefined : await readNote(this.app.link, this.place, this.version);
    if (base.state === "ready" && earlier?.state !== "failed") this.begin(base.value, earlier?.value.text);
    this.base = earlier?.state === "failed" ? earlier : base;
  }

  private begin(base: NoteText, earlier: string | undefined): void {
    const draft = earlier === undefined ? keptDraft(this.app, this.place) : undefined;
    this.text = earlier ?? draft?.text ?? base.text;
    const isStale = draft !== undefined && draft.base.version !== base.version;
    this.was = isStale ? draft.base : undefined;
    this.isLookedOver = isStale || earlier !== undefined;
  }

  private async save(): Promise<void> {
    if (this.base.state !== "ready") return;
    this.isBusy = true;
    this.problem = undefined;
    const { text } = this;
    try {
      const { version } = this.base.value;
      await this.app.link.call("notes.write", { ...wished(this.place), text, version });
      this.saved();
    } catch (error) {
      await this.refused(error, this.base.value);
    }
    this.isBusy = false;
  }

  private saved(): void {
    keepDraft(this.app, this.place, undefined);
    this.app.say("Saved.", { tone: "good" });
    this.app.go(this.back);
  }

  private async refused(error: unknown, was: NoteText): Promise<void> {
    const isConflict = error instanceof CallFailed && error.code === "conflict";
    const now = isConflict ? await readToWrite(this.app.link, this.place) : undefined;
    // nothing was changed meanwhile after all: it is refused for another reason
    if (now?.state !== "ready" || now.value.version === was.version) {
      this.problem = failureWords(error);
      return;
    }
    if (now.value.text === this.text) return this.saved();
    this.base = now;
    this.was = was;
    keepDraft(this.app, this.place, { text: this.text, base: was });
  }
}

customElements.define("steward-note-editor", StewardNoteEditor);
