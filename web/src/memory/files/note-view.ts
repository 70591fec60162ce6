// One file with its lines numbered; those of a find are marked, and what of it fits best is in sight.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { count } from "../../../../src/contract/words/amounts.ts";
import type { App } from "../../app/app.ts";
import { browserTimers } from "../../gateway/timers.ts";
import { failedNotice, type Loading, loading } from "../../settings/loading.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { followEvents } from "../follow-events.ts";
import { groupChip } from "../group-chip.ts";
import { bones } from "../loading-bones.ts";
import { memoryStyles } from "../memory-styles.ts";
import { type Lines, type MemoryView, viewPath } from "../memory-view.ts";
import { keptDraft } from "./note-drafts.ts";
import { readNote } from "./read-note.ts";

// more than anybody reads, fewer than a browser tires of
const mostLines = 3_000;
const linesBelow = 200;

export class StewardNoteView extends LitElement {
  static override properties = {
    app: { attribute: false },
    group: { attribute: false },
    path: { attribute: false },
    lines: { attribute: false },
    best: { attribute: false },
    from: { attribute: false },
    answer: { state: true },
    showsAll: { state: true },
  };
  static override styles = [
    controls,
    memoryStyles,
    css`
      :host { display: block; }
      .lines { padding: var(--space-3) 0; }
      .line { --digits: 4.5em; display: grid; min-height: 1.6em; grid-template-columns: var(--digits) minmax(0, 1fr); gap: var(--space-4); padding: 0 var(--space-4) 0 0; font-family: var(--font-code); font-size: var(--text-s); line-height: 1.6; white-space: pre-wrap; overflow-wrap: anywhere; }
      /* of what somebody copies the numbers are no part */
      .line::before { content: attr(data-number); padding-inline-start: var(--space-3); text-align: end; color: var(--ink-faint); font-variant-numeric: tabular-nums; user-select: none; }
      .line.near { box-shadow: inset 3px 0 0 var(--line); }
      .line.found { background: var(--warning-soft); box-shadow: inset 3px 0 0 var(--warning); scroll-margin-block: 30vh; }
      .line.found::before { color: var(--ink-soft); }
      .more { display: flex; justify-content: center; padding: var(--space-3); }
      .bone { height: 320px; }
      @media (max-width: 520px) { .line { --digits: 3.4em; gap: var(--space-2); padding-inline-end: var(--space-2); } }
    `,
  ];
  declare app: App;
  declare group: string | undefined;
  declare path: string;
  /** Of a find. */
  declare lines: Lines | undefined;
  /** Those of them that fit best. */
  declare best: Lines | undefined;
  declare from: MemoryView;
  declare answer: Loading<{ text: string; isNote: boolean }>;
  declare showsAll: boolean;
  private unfollow: (() => void) | undefined;
  private isShown = false;

  constructor() {
    super();
    this.answer = loading;
    this.showsAll = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const types = ["note.written", "turn.finished", "messages.forgotten"] as const;
    this.unfollow = followEvents(this.app.link, browserTimers, types, () => void this.reload());
    void this.reload();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unfollow?.();
  }

  override updated(_: PropertyValues<this>): void {
    const found = this.renderRoot.querySelector(".found");
    if (this.isShown || !found) return;
    this.isShown = true;
    // the page begins at its top first, as every other one does
    requestAnimationFrame(() => found.scrollIntoView({ block: "start" }));
  }

  override render(): TemplateResult {
    const { answer, from } = this;
    const isOnlyRead = answer.state === "ready" && !answer.value.isNote;
    return html`<a class="back" href=${viewPath(from)}>${icon("chevron", 16)} ${backWords(from)}</a>
      <header class="top">
        <h1>${this.path}</h1>
        ${groupChip(this.group)}
        ${answer.state === "failed" || isOnlyRead ? nothing : this.renderActions()}
      </header>
      ${isOnlyRead ? html`<p class="muted small">It lies beside the notes and is only read here (memory.extraPaths). Change it where it lies.</p>` : nothing}
      ${answer.state === "ready" ? this.renderText(answer.value.text) : this.renderWithout(answer)}`;
  }

  private renderActions(): TemplateResult {
    const { group, path } = this;
    return html`<a class="button" href=${viewPath({ view: "edit", group, path })}>${icon("edit", 16)} ${keptDraft(this.app, { path, group }) ? "Go on editing" : "Edit"}</a>
      <a class="button" href=${viewPath({ view: "history", group, path })}>${icon("clock", 16)} History</a>`;
  }

  private renderWithout(answer: Exclude<typeof this.answer, { state: "ready" }>): TemplateResult {
    if (answer.state === "loading") return bones(1);
    if (!answer.isMissing) return failedNotice(answer.message, () => void this.reload());
    const { group, path } = this;
    return html`<div class="empty" role="alert">
      ${icon("file")}
      <h2>This file is not there.</h2>
      <p>It may have been removed or renamed. What it said at earlier times is in its history.</p>
      <div class="row">
        <a class="button" href=${viewPath({ view: "edit", group, path })}>${icon("edit", 16)} Write it</a>
        <a class="button" href=${viewPath({ view: "history", group, path })}>${icon("clock", 16)} History</a>
      </div>
    </div>`;
  }

  private renderText(text: string): TemplateResult {
    if (text.trim() === "") return html`<p class="card muted">Nothing stands in it.</p>`;
    const all = text.replace(/\n$/, "").split("\n");
    const shown = this.showsAll ? all : all.slice(0, Math.max(mostLines, (this.lines?.end ?? 0) + linesBelow));
    const hidden = all.length - shown.length;
    // no space within a line: it would be shown
    return html`<div class="card lines" role="group" aria-label="Text of ${this.path}">
      ${shown.map((line, at) => html`<div class="line ${this.markOf(at + 1)}" data-number=${at + 1}>${line}</div>`)}
      ${
        hidden > 0
          ? html`<p class="more"><button @click=${this.showAll}>Show ${count(hidden, "more line")}</button></p>`
          : nothing
      }
    </div>`;
  }

  private markOf(line: number): "found" | "near" | "" {
    const { lines, best } = this;
    if (isWithin(best ?? lines, line)) return "found";
    return isWithin(lines, line) ? "near" : "";
  }

  private showAll(): void {
    this.showsAll = true;
  }

  private async reload(): Promise<void> {
    const answer = await readNote(this.app.link, { path: this.path, group: this.group });
    const isWorse = answer.state === "failed" && !answer.isMissing && this.answer.state === "ready";
    if (!isWorse) this.answer = answer;
  }
}

function isWithin(lines: Lines | undefined, line: number): boolean {
  return lines !== undefined && line >= lines.start && line <= lines.end;
}

function backWords({ view }: MemoryView): string {
  if (view === "search") return "Search";
  if (view === "recalled") return "Recalled";
  return view === "forget" ? "Forget" : "Files";
}

customElements.define("steward-note-view", StewardNoteView);
