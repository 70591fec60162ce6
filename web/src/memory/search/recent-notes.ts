// The notes changed last, each with the line by which it is known. Tells `listed` whether there are any.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import { formatAgo } from "../../../../src/contract/words/amounts.ts";
import type { App } from "../../app/app.ts";
import { browserTimers } from "../../gateway/timers.ts";
import { load } from "../../settings/loading.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { formatDateTime } from "../../words.ts";
import { isNotePath, readNote } from "../files/read-note.ts";
import { followEvents } from "../follow-events.ts";
import { memoryStyles } from "../memory-styles.ts";
import { viewPath } from "../memory-view.ts";
import { tellingLine } from "./telling-line.ts";

type File = MethodResult<"notes.list">["files"][number];
/** unknown: the gateway did not say. */
export type Listed = "loading" | "some" | "none" | "unknown";

const mostShown = 5;

export class StewardRecentNotes extends LitElement {
  static override properties = {
    app: { attribute: false },
    group: { attribute: false },
    files: { state: true },
    lines: { state: true },
  };
  static override styles = [
    controls,
    memoryStyles,
    css`
      :host { display: block; }
      h2 { margin: var(--space-3) 0 var(--space-2); font-size: var(--text-s); color: var(--ink-soft); }
      .note { display: grid; grid-template-columns: 20px minmax(0, 1fr) auto; align-items: start; gap: 2px var(--space-3); padding: var(--space-3) var(--space-4); }
      .note > svg { color: var(--accent); margin-top: 2px; }
      .note time { font-size: var(--text-s); color: var(--ink-faint); font-variant-numeric: tabular-nums; }
      /* its place is there before it is read */
      .line { grid-column: 2 / -1; min-height: 1.5em; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: var(--text-s); color: var(--ink-soft); }
      .tip { margin-top: var(--space-3); }
    `,
  ];
  declare app: App;
  declare group: string | undefined;
  declare files: readonly File[];
  /** By path. */
  declare lines: ReadonlyMap<string, string | undefined>;
  private unfollow: (() => void) | undefined;

  constructor() {
    super();
    this.files = [];
    this.lines = new Map();
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

  override render(): TemplateResult | typeof nothing {
    if (this.files.length === 0) return nothing;
    return html`<h2 id="title">Changed last</h2>
      <ul class="card rows" aria-labelledby="title">
        ${repeat(
          this.files,
          ({ path }) => path,
          (file) => html`<li>${this.renderFile(file)}</li>`,
        )}
      </ul>
      <p class="tip hint">To have something noted, say “remember that …” in the chat.</p>`;
  }

  private renderFile({ path, changedAtMs }: File): TemplateResult {
    return html`<div class="note">
      ${icon("file")}
      <a class="whole" href=${viewPath({ view: "file", group: this.group, path })}>${path}</a>
      <time datetime=${new Date(changedAtMs).toISOString()} title=${formatDateTime(changedAtMs)}>${formatAgo(changedAtMs, Date.now())}</time>
      <p class="line">${this.lines.get(path)}</p>
    </div>`;
  }

  private async reload(): Promise<void> {
    const { group } = this;
    const read = await load(() => this.app.link.call("notes.list", { ...(group !== undefined && { group }) }));
    if (read.state === "ready") this.files = lastChanged(read.value.files);
    const listed: Listed = this.files.length > 0 ? "some" : read.state === "failed" ? "unknown" : "none";
    this.dispatchEvent(new CustomEvent("listed", { detail: listed }));
    await Promise.all(this.files.map((file) => this.readLine(file)));
  }

  private async readLine({ path }: File): Promise<void> {
    const read = await readNote(this.app.link, { path, group: this.group });
    // the row leads there all the same
    if (read.state === "failed") return;
    this.lines = new Map(this.lines).set(path, tellingLine(read.value.text));
  }
}

function lastChanged(files: readonly File[]): readonly File[] {
  return files
    .filter(({ path }) => isNotePath(path))
    .toSorted((one, other) => other.changedAtMs - one.changedAtMs)
    .slice(0, mostShown);
}

customElements.define("steward-recent-notes", StewardRecentNotes);
