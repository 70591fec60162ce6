import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { Event as LogEvent } from "../../../src/contract/event.ts";
import type { App } from "../app/app.ts";
import { failureWords } from "../settings/loading.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { formatDateTime, sessionName } from "../words.ts";
import type { ActivityLine } from "./activity-line.ts";
import { describeEvent } from "./describe/describe-event.ts";
import { detailsOf, type EventDetail } from "./describe/event-details.ts";
import type { EventFacts } from "./describe/event-facts.ts";

/** One event as a line that opens to its whole story; a change to files can be taken back here. */
export class StewardActivityRow extends LitElement {
  static override properties = {
    app: { attribute: false },
    event: { attribute: false },
    facts: { attribute: false },
    /** Grows with everything the facts learn, so that the line is drawn anew. */
    learned: { attribute: false },
    isOpen: { state: true },
    isUndoing: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: start; }
      details { min-width: 0; grid-column: 1; }
      details[open] { grid-column: 1 / -1; }
      summary { display: grid; grid-template-columns: 20px minmax(0, 1fr) auto; gap: var(--space-3); align-items: start; padding: 10px var(--space-3); list-style: none; border-radius: var(--radius-m); }
      summary::-webkit-details-marker { display: none; }
      summary:hover { background: var(--sunken); }
      summary > svg { margin-top: 2px; color: var(--ink-faint); }
      .good > svg { color: var(--good); }
      .warning > svg { color: var(--warning); }
      .error > svg { color: var(--danger); }
      .line { min-width: 0; overflow-wrap: anywhere; }
      .who { font-weight: 550; }
      code { padding: 1px 5px; background: var(--sunken); border-radius: var(--radius-s); }
      summary:hover code { background: var(--paper); }
      q { color: var(--ink-soft); }
      .open { grid-column: 2; margin-top: 2px; }
      details[open] + .open { display: none; }
      .detail { color: var(--ink-faint); font-size: var(--text-s); }
      .detail::before { content: "· "; }
      .side { display: flex; gap: var(--space-3); color: var(--ink-faint); font-size: var(--text-xs); white-space: nowrap; padding-top: 3px; font-variant-numeric: tabular-nums; }
      .place { max-width: 150px; overflow: hidden; text-overflow: ellipsis; }
      time { min-width: 54px; text-align: end; }
      .undo { grid-column: 2; margin: 4px var(--space-2) 0 0; min-height: 32px; padding: 0 var(--space-3); }
      details[open] + .undo { grid-column: 1 / -1; justify-self: start; margin: 0 0 var(--space-3) 44px; }
      .story { display: grid; grid-template-columns: minmax(96px, max-content) minmax(0, 1fr); gap: var(--space-2) var(--space-4); padding: var(--space-2) var(--space-3) var(--space-4) 44px; font-size: var(--text-s); }
      dt { color: var(--ink-faint); }
      dd { min-width: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
      dt.wide, dd.wide { grid-column: 1 / -1; }
      .well { max-height: 320px; }
      @media (max-width: 600px) {
        .place, .open { display: none; }
        :host { grid-template-columns: minmax(0, 1fr); }
        .undo, details[open] + .undo { grid-column: 1; justify-self: start; margin: 0 0 var(--space-2) 44px; }
        .story { grid-template-columns: minmax(0, 1fr); gap: var(--space-1); padding-left: var(--space-3); }
        dd { margin-bottom: var(--space-2); }
      }
    `,
  ];
  declare app: App;
  declare event: LogEvent;
  declare facts: EventFacts;
  declare learned: number;
  declare isOpen: boolean;
  declare isUndoing: boolean;

  constructor() {
    super();
    this.isOpen = false;
    this.isUndoing = false;
  }

  override render(): TemplateResult {
    const { event, facts } = this;
    const line = describeEvent(event, {
      argumentsOf: facts.argumentsOf,
      questionOf: facts.questionOf,
      nameOfConversation: (key) => this.conversation(key),
      titleOfTask: facts.titleOfTask,
    });
    return html`<details @toggle=${this.toggled}>
        <summary class=${line.tone}>
          ${icon(line.icon, 18)}
          <span class="line">${this.renderLine(line)}</span>
          <span class="side">
            <span class="place">${this.conversation(event.conversation) ?? ""}</span>
            <time datetime=${new Date(event.atMs).toISOString()} title=${formatDateTime(event.atMs)}>${clock.format(event.atMs)}</time>
          </span>
        </summary>
        ${this.isOpen ? this.renderStory(line) : nothing}
      </details>
      ${this.renderUndo()} ${renderWay(line)}`;
  }

  private renderLine(line: ActivityLine): TemplateResult {
    return html`<span class="who">${line.who}</span> ${line.sentence} ${line.subject ? renderSubject(line.subject) : nothing}
      ${line.detail ? html`<span class="detail">${line.detail}</span>` : nothing}`;
  }

  private renderStory({ subject }: ActivityLine): TemplateResult {
    const { event, facts } = this;
    const given = "callId" in event ? facts.argumentsOf(event.callId) : undefined;
    const name = this.conversation(event.conversation);
    return html`<dl class="story">
      ${detailsOf(event, given).map(renderDetail)}
      ${subject?.href ? html`<dt>Task</dt><dd><a href=${subject.href}>${subject.text}</a></dd>` : nothing}
      ${name ? html`<dt>Conversation</dt><dd><a href="/chat/${event.conversation}">${name}</a></dd>` : nothing}
    </dl>`;
  }

  private renderUndo(): TemplateResult | typeof nothing {
    const { event } = this;
    if (event.type !== "tool.returned" || event.changes.length === 0) return nothing;
    if (this.facts.isUndone(event.seq)) return html`<span class="undo chip">Taken back</span>`;
    return html`<button class="undo" ?disabled=${this.isUndoing} @click=${this.undo}>
      ${icon(this.isUndoing ? "spinner" : "undo", 16)} Undo
    </button>`;
  }

  private conversation(key: string): string | undefined {
    const session = this.app.sessions.value.find((one) => one.sessionKey === key);
    return session && sessionName(session);
  }

  private toggled(event: Event): void {
    this.isOpen = (event.target as HTMLDetailsElement).open;
    if (this.isOpen) void this.learnArguments();
  }

  // what a tool was told stands in an earlier event, which a filter may have left out
  private async learnArguments(): Promise<void> {
    const { event, facts } = this;
    if (!("callId" in event) || facts.argumentsOf(event.callId) !== undefined) return;
    try {
      const before = await this.app.link.call("chat.history", {
        sessionKey: event.conversation,
        beforeSeq: event.seq,
        maxEvents: 100,
      });
      for (const earlier of before.events) facts.learn(earlier);
      this.requestUpdate();
    } catch {
      // the story is told without it: the conversation may have been deleted since
    }
  }

  private async undo(): Promise<void> {
    this.isUndoing = true;
    try {
      const { conversation: sessionKey, seq: returned } = this.event;
      const { undone, output } = await this.app.link.call("changes.undo", { sessionKey, returned });
      this.app.say(undone ? "Taken back." : output, { tone: undone ? "good" : "warning" });
    } catch (error) {
      this.app.say(failureWords(error), { tone: "error" });
    }
    this.isUndoing = false;
  }
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

// beside the line, because a line that opens can hold no link
function renderWay({ subject }: ActivityLine): TemplateResult | typeof nothing {
  if (subject?.href === undefined) return nothing;
  return html`<a class="open button quiet icon" href=${subject.href} aria-label="Open the task: ${subject.text}" title="Open the task">${icon("chevron", 16)}</a>`;
}

function renderSubject({ text, as }: NonNullable<ActivityLine["subject"]>): TemplateResult {
  return as === "code" ? html`<code>${text}</code>` : html`<q>${text}</q>`;
}

function renderDetail(detail: EventDetail): TemplateResult {
  if (detail.as === "words") return html`<dt>${detail.label}</dt><dd>${detail.text}</dd>`;
  return html`<dt class="wide">${detail.label}</dt>
    <dd class="wide"><div class="well" tabindex="0" role="group" aria-label=${detail.label}>${detail.text}</div></dd>`;
}

customElements.define("steward-activity-row", StewardActivityRow);
