// The files that are the memory, with their size and when they were changed.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import { formatAgo, formatBytes } from "../../../../src/contract/words/amounts.ts";
import type { App } from "../../app/app.ts";
import { browserTimers } from "../../gateway/timers.ts";
import { failedNotice, type Loading, load, loading } from "../../settings/loading.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { formatDateTime } from "../../words.ts";
import { followEvents } from "../follow-events.ts";
import { bones } from "../loading-bones.ts";
import { memoryStyles } from "../memory-styles.ts";
import { viewPath } from "../memory-view.ts";
import { nothingNoted } from "../nothing-noted.ts";
import { isNotePath } from "./read-note.ts";

type Files = MethodResult<"notes.list">["files"];

export class StewardNoteList extends LitElement {
  static override properties = {
    app: { attribute: false },
    group: { attribute: false },
    answer: { state: true },
  };
  static override styles = [
    controls,
    memoryStyles,
    css`
      :host { display: block; }
      .note { display: grid; grid-template-columns: 20px minmax(0, 1fr) auto; align-items: center; gap: var(--space-1) var(--space-3); min-height: 52px; padding: var(--space-2) var(--space-4); }
      .note > svg { color: var(--accent); }
      .facts { display: flex; flex-wrap: wrap; justify-content: end; gap: 0 var(--space-3); font-size: var(--text-s); color: var(--ink-faint); font-variant-numeric: tabular-nums; }
      h2 { margin: var(--space-5) 0 var(--space-2); font-size: var(--text-s); color: var(--ink-soft); }
      .bone { height: 52px; }
      @media (max-width: 520px) { 
        .note { grid-template-columns: 20px minmax(0, 1fr); }
        .facts { grid-column: 2; justify-content: start; }
      }
    `,
  ];
  declare app: App;
  declare group: string | undefined;
  declare answer: Loading<Files>;
  private unfollow: (() => void) | undefined;

  constructor() {
    super();
    this.answer = loading;
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

  override render(): TemplateResult {
    const { answer, group } = this;
    if (answer.state === "failed") return failedNotice(answer.message, () => void this.reload());
    if (answer.state === "loading") return bones(3);
    const notes = answer.value.filter(({ path }) => isNotePath(path));
    const others = answer.value.filter(({ path }) => !isNotePath(path));
    return html`${notes.length === 0 ? nothingNoted(group) : this.renderFiles("Notes", notes)}
      ${others.length === 0 ? nothing : html`<h2>What shapes Steward</h2>${this.renderFiles("What shapes Steward", others)}`}`;
  }

  private renderFiles(label: string, files: Files): TemplateResult {
    return html`<ul class="card rows" aria-label=${label}>
      ${repeat(
        files,
        ({ path }) => path,
        (file) => html`<li>${this.renderFile(file)}</li>`,
      )}
    </ul>`;
  }

  private renderFile({ path, bytes, changedAtMs }: Files[number]): TemplateResult {
    return html`<div class="note">
      ${icon("file")}
      <a class="whole" href=${viewPath({ view: "file", group: this.group, path })}>${path}</a>
      <p class="facts">
        <span>${formatBytes(bytes)}</span>
        <time datetime=${new Date(changedAtMs).toISOString()} title=${formatDateTime(changedAtMs)}>${formatAgo(changedAtMs, Date.now())}</time>
      </p>
    </div>`;
  }

  private async reload(): Promise<void> {
    const { group } = this;
    const answer = await load(async () => {
      const { files } = await this.app.link.call("notes.list", { ...(group !== undefined && { group }) });
      return files;
    });
    if (answer.state === "ready" || this.answer.state !== "ready") this.answer = answer;
  }
}

customElements.define("steward-note-list", StewardNoteList);
