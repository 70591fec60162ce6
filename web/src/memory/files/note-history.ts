// Who changed a note, when and how, newest first.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import { type Day, groupByDay } from "../../activity/group-by-day.ts";
import type { App } from "../../app/app.ts";
import { failedNotice, type Loading, load, loading } from "../../settings/loading.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { groupChip } from "../group-chip.ts";
import { bones } from "../loading-bones.ts";
import { memoryStyles } from "../memory-styles.ts";
import { viewPath } from "../memory-view.ts";
import "./note-change.ts";
import { wished } from "./read-note.ts";

type Changes = MethodResult<"notes.history">["changes"];
type Change = Changes[number];

export class StewardNoteHistory extends LitElement {
  static override properties = {
    app: { attribute: false },
    group: { attribute: false },
    path: { attribute: false },
    answer: { state: true },
  };
  static override styles = [
    controls,
    memoryStyles,
    css`
      :host { display: block; }
      h2 { margin: var(--space-4) 0 var(--space-2); font-size: var(--text-s); color: var(--ink-soft); }
      .rows > li:hover { background: none; }
      li { padding: var(--space-3) var(--space-4); }
      .beginning { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: var(--space-1) var(--space-3); }
    `,
  ];
  declare app: App;
  declare group: string | undefined;
  declare path: string;
  declare answer: Loading<Changes>;

  constructor() {
    super();
    this.answer = loading;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.reload();
  }

  override render(): TemplateResult {
    const { group, path } = this;
    return html`<a class="back" href=${viewPath({ view: "file", group, path })}>${icon("chevron", 16)} ${path}</a>
      <header class="top"><h1>History of ${path}</h1>${groupChip(group)}</header>
      ${this.renderAnswer(this.answer)}`;
  }

  private renderAnswer(answer: Loading<Changes>): TemplateResult {
    if (answer.state === "failed") return failedNotice(answer.message, () => void this.reload());
    if (answer.state === "loading") return bones(3);
    if (answer.value.length === 0)
      return html`<div class="empty">
        ${icon("clock")}
        <h2>No change is written down</h2>
        <p>Changes made here and by Steward are kept from now on. What you change in an editor of your own is not.</p>
      </div>`;
    const days = groupByDay(answer.value, Date.now());
    const [newest] = answer.value;
    const before = answer.value.at(-1)?.before ?? null;
    return html`${days.map((day, at) => this.renderDay(day, newest, at === days.length - 1 ? before : null))}`;
  }

  private renderDay({ name, items }: Day<Change>, newest: Change | undefined, before: string | null): TemplateResult {
    const { app, group, path } = this;
    return html`<h2>${name}</h2>
      <ol class="card rows" aria-label="Changes, ${name}">
        ${repeat(
          items,
          ({ atMs, after }) => `${atMs} ${after}`,
          (change) =>
            html`<li><steward-note-change .app=${app} .group=${group} .path=${path} .change=${change} .isNewest=${change === newest}></steward-note-change></li>`,
        )}
        ${this.renderBeginning(before)}
      </ol>`;
  }

  /** What stood there before the first change that is written down. */
  private renderBeginning(version: string | null): TemplateResult | typeof nothing {
    if (version === null) return nothing;
    const { group, path } = this;
    return html`<li class="beginning">
      <span>Before all of these changes</span>
      <a class="button" href=${viewPath({ view: "edit", group, path, version })}>${icon("undo", 16)} Go back to this</a>
    </li>`;
  }

  private async reload(): Promise<void> {
    this.answer = await load(async () => {
      const { changes } = await this.app.link.call("notes.history", wished({ path: this.path, group: this.group }));
      return changes;
    });
  }
}

customElements.define("steward-note-history", StewardNoteHistory);
