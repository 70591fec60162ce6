import { css, html, LitElement, type TemplateResult } from "lit";
import type { MethodResult } from "../../../src/contract/wire/method.ts";
import type { App } from "../app/app.ts";
import { failedNotice, type Loading, load, loading } from "../settings/loading.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { formatDateTime } from "../words.ts";

type LogLine = MethodResult<"logs.tail">["lines"][number];
const levels = { debug: "Everything", info: "Usual", warn: "Warnings and errors", error: "Errors only" } as const;
type Level = keyof typeof levels;

/** The newest lines of the program's own log, for whoever looks for a fault. */
export class StewardLogTail extends LitElement {
  static override properties = {
    app: { attribute: false },
    level: {},
    lines: { state: true },
    isAsking: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: grid; gap: var(--space-3); }
      .bar { display: flex; flex-wrap: wrap; align-items: end; gap: var(--space-3); }
      .field { flex: 0 1 240px; }
      ol { display: grid; margin: 0; padding: 0; list-style: none; font-family: var(--font-code); font-size: var(--text-xs); line-height: 1.5; }
      li { display: grid; grid-template-columns: max-content 44px minmax(0, 1fr); gap: var(--space-2); padding: 3px var(--space-3); overflow-wrap: anywhere; }
      li:nth-child(even) { background: var(--sunken); }
      time, .level { color: var(--ink-faint); }
      .warn .level { color: var(--warning); }
      .error .level, .fatal .level { color: var(--danger); }
      .detail { color: var(--ink-soft); white-space: pre-wrap; }
      .card { padding: var(--space-2) 0; overflow: hidden; }
      .bone { height: 420px; background: var(--sunken); border-color: transparent; }
      @media (max-width: 600px) { li { grid-template-columns: auto 1fr; } .words { grid-column: 1 / -1; } }
    `,
  ];
  declare app: App;
  declare level: Level;
  declare lines: Loading<readonly LogLine[]>;
  declare isAsking: boolean;

  constructor() {
    super();
    this.level = "info";
    this.lines = loading;
    this.isAsking = false;
  }

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("level") && this.isConnected) void this.refresh();
  }

  override render(): TemplateResult {
    return html`<div class="bar">
        <div class="field">
          <label for="level">What to show</label>
          <select id="level" @change=${this.chooseLevel}>
            ${Object.entries(levels).map(([level, name]) => html`<option value=${level} ?selected=${level === this.level}>${name}</option>`)}
          </select>
        </div>
        <button ?disabled=${this.isAsking} @click=${this.refresh}>${icon(this.isAsking ? "spinner" : "retry", 16)} Refresh</button>
      </div>
      ${this.renderLines()}`;
  }

  private renderLines(): TemplateResult {
    const { lines } = this;
    if (lines.state === "loading")
      return html`<div class="card bone" role="status" aria-busy="true" aria-label="Loading"></div>`;
    if (lines.state === "failed") return failedNotice(lines.message, () => void this.refresh());
    if (lines.value.length === 0)
      return html`<div class="empty">${icon("terminal")}<h2>No lines</h2><p>The program has written nothing of this kind today.</p></div>`;
    return html`<div class="card"><ol aria-label="Log, newest first">${lines.value.toReversed().map(renderLine)}</ol></div>`;
  }

  private chooseLevel(event: Event): void {
    const level = (event.target as HTMLSelectElement).value;
    this.app.go(level === "info" ? "/activity/log" : `/activity/log/${level}`);
  }

  private async refresh(): Promise<void> {
    this.isAsking = true;
    const { level } = this;
    const lines = await load(async () => (await this.app.link.call("logs.tail", { level, lines: 300 })).lines);
    // an answer for a level that is no longer wanted comes too late
    if (level === this.level) this.lines = lines;
    this.isAsking = false;
  }
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", hourCycle: "h23" });

function renderLine(line: LogLine): TemplateResult {
  return html`<li class=${line.level}>
    <time datetime=${new Date(line.atMs).toISOString()} title=${formatDateTime(line.atMs)}>${clock.format(line.atMs)}</time>
    <span class="level">${line.level}</span>
    <span class="words">${line.message} <span class="detail">${line.detail}</span></span>
  </li>`;
}

export function readLevel(text: string | undefined): Level {
  return text !== undefined && text in levels ? (text as Level) : "info";
}

customElements.define("steward-log-tail", StewardLogTail);
