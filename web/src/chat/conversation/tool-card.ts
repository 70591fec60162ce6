// One call of a tool: what it does to what, how it stands, and everything about it for whoever opens it.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { formatBytes } from "../../../../src/contract/words/amounts.ts";
import { changedPaths } from "../../../../src/contract/words/changed-files.ts";
import { toolSubject } from "../../../../src/contract/words/tool-summary.ts";
import { visibleLine } from "../../../../src/contract/words/visible-line.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { toolTitle } from "../../tool-words.ts";
import "./attachments.ts";
import type { ToolItem } from "../../../../src/contract/conversation/conversation.ts";
import { toolCardStyles } from "./tool-card-styles.ts";
import {
  beginningOf,
  changedWords,
  type GivenValue,
  givenValues,
  plainOutput,
  toolStanding,
  toolTrouble,
} from "./tool-words.ts";

export class StewardToolCard extends LitElement {
  static override properties = {
    item: { attribute: false },
    undo: { attribute: false },
    isOpen: { state: true },
    isWhole: { state: true },
    isUndoing: { state: true },
  };
  static override styles = [controls, toolCardStyles, css`:host { display: block; }`];
  declare item: ToolItem;
  /** Takes back what this call did to files. */
  declare undo: (item: ToolItem) => Promise<void>;
  declare isOpen: boolean;
  declare isWhole: boolean;
  declare isUndoing: boolean;
  private clock: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.isOpen = false;
    this.isWhole = false;
    this.isUndoing = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopClock();
  }

  override updated(changed: PropertyValues<this>): void {
    if (!changed.has("item")) return;
    if (this.item.status !== "running") this.stopClock();
    else this.clock ??= setInterval(() => this.requestUpdate(), 1000);
  }

  private stopClock(): void {
    clearInterval(this.clock);
    this.clock = undefined;
  }

  override render(): TemplateResult {
    const { item } = this;
    const { title, icon: picture } = toolTitle(item.tool);
    const standing = toolStanding(item, Date.now());
    const trouble = toolTrouble(item);
    return html`<details @toggle=${this.toggled}>
        <summary>
          <span class="picture ${standing.tone}">${icon(picture, 16)}</span>
          <span class="title">${title}</span>
          <span class="subject">${toolSubject(item.arguments)}</span>
          <span class="standing ${standing.tone}">${standingIcon(standing.tone)}${standing.words}</span>
          <span class="chevron">${icon("chevron", 14)}</span>
        </summary>
        ${this.isOpen ? this.renderInside() : nothing}
      </details>
      ${item.progress ? html`<p class="line">${visibleLine(item.progress, 200)}</p>` : nothing}
      ${trouble && !this.isOpen ? html`<p class="line ${standing.tone}">${trouble}</p>` : nothing}
      ${item.changes.length > 0 ? this.renderChanges() : nothing}
      ${
        item.attachments.length > 0
          ? html`<steward-attachments .attachments=${item.attachments}></steward-attachments>`
          : nothing
      }`;
  }

  private renderInside(): TemplateResult {
    const { item } = this;
    const given = givenValues(item.arguments);
    return html`<div class="inside">
      ${given.length > 0 ? html`<dl>${given.map(renderGiven)}</dl>` : nothing}
      ${item.output === undefined ? nothing : this.renderOutput(plainOutput(item.output))}
    </div>`;
  }

  private renderOutput(output: string): TemplateResult | typeof nothing {
    if (output.trim() === "")
      return this.item.status === "done" ? html`<p class="muted small">It gave back nothing.</p>` : nothing;
    const beginning = this.isWhole ? undefined : beginningOf(output);
    return html`<div class="well" tabindex="0" role="group" aria-label="Result">${beginning ?? output}</div>
      ${
        beginning === undefined
          ? nothing
          : html`<button class="quiet more" @click=${this.showAll}>Show all (${formatBytes(output.length)})</button>`
      }`;
  }

  private renderChanges(): TemplateResult {
    const { item } = this;
    const paths = changedPaths(item.changes).join("\n");
    return html`<p class="line changes">
      <span title=${paths}>${changedWords(item)}</span>
      ${
        item.undone
          ? html`<span class="chip">${icon("undo", 13)} Taken back</span>`
          : html`<button class="quiet" ?disabled=${this.isUndoing} @click=${this.takeBack}>
              ${icon("undo", 15)} Undo
            </button>`
      }
    </p>`;
  }

  private toggled(event: Event): void {
    this.isOpen = (event.target as HTMLDetailsElement).open;
  }

  private showAll(): void {
    this.isWhole = true;
  }

  private async takeBack(): Promise<void> {
    this.isUndoing = true;
    await this.undo(this.item);
    this.isUndoing = false;
  }
}

function standingIcon(tone: string): TemplateResult | typeof nothing {
  if (tone === "busy") return icon("spinner", 13);
  if (tone === "good") return icon("check", 13);
  return tone === "quiet" ? nothing : icon("warning", 13);
}

function renderGiven(given: GivenValue): TemplateResult {
  if (given.kind === "text") return html`<dt>${given.name}</dt><dd>${given.text}</dd>`;
  const pairs = given.replacements.map(
    ({ oldText, newText }) => html`<span class="old">${oldText}</span><span class="new">${newText}</span>`,
  );
  return html`<dt>${given.name}</dt><dd>${pairs}</dd>`;
}

customElements.define("steward-tool-card", StewardToolCard);
