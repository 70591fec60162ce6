// For whoever wonders what the index holds: one line, with the way to make it anew. Tells `status` when it knows more.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import type { App } from "../../app/app.ts";
import { browserTimers } from "../../gateway/timers.ts";
import { failureWords, type Loading, load, loading } from "../../settings/loading.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { memoryStyles } from "../memory-styles.ts";
import { statusWords } from "../memory-words.ts";

type Status = MethodResult<"memory.status">;

const lookAgainMs = 700;

export class StewardIndexLine extends LitElement {
  static override properties = {
    app: { attribute: false },
    group: { attribute: false },
    answer: { state: true },
    isAsked: { state: true },
  };
  static override styles = [
    controls,
    memoryStyles,
    css`
      :host { display: grid; gap: var(--space-2); }
      .line { display: flex; align-items: center; gap: var(--space-1) var(--space-3); min-height: 40px; font-size: var(--text-xs); color: var(--ink-faint); }
      .line > svg { color: var(--accent); }
      .line button { flex: none; font-size: var(--text-xs); }
      /* three lines there, reserved before the words are known */
      @media (max-width: 520px) {
        .line { min-height: 58px; }
        .line button { width: 44px; padding: 0; }
        .line button span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      }
    `,
  ];
  declare app: App;
  declare group: string | undefined;
  declare answer: Loading<Status>;
  declare isAsked: boolean;
  private stopWaiting: (() => void) | undefined;

  constructor() {
    super();
    this.answer = loading;
    this.isAsked = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.look();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopWaiting?.();
  }

  async look(): Promise<void> {
    const { group } = this;
    const answer = await load(() => this.app.link.call("memory.status", { ...(group !== undefined && { group }) }));
    this.show(answer);
  }

  override render(): TemplateResult {
    const { answer } = this;
    return html`<div class="line" role="status" aria-busy=${answer.state === "loading" ? "true" : nothing}>
        ${this.isReading ? icon("spinner", 16) : nothing}
        <span class="grow">${lineWords(answer)}</span>
        <button class="quiet" ?disabled=${this.isAsked || this.isReading || isOff(answer)} title="Throws the index away and makes it again; notes and conversations are only read" @click=${this.reindex}>
          ${icon("retry", 16)} <span>Reindex</span>
        </button>
      </div>`;
  }

  private get isReading(): boolean {
    return this.answer.state === "ready" && this.answer.value.state === "reading";
  }

  private async reindex(): Promise<void> {
    const { group } = this;
    this.isAsked = true;
    try {
      const status = await this.app.link.call("memory.reindex", { ...(group !== undefined && { group }) });
      this.show({ state: "ready", value: status });
    } catch (error) {
      this.app.say(failureWords(error), { tone: "error" });
    }
    this.isAsked = false;
  }

  private show(answer: Loading<Status>): void {
    this.answer = answer;
    if (answer.state !== "ready") return;
    this.dispatchEvent(new CustomEvent("status", { detail: answer.value }));
    this.stopWaiting?.();
    if (this.isReading && this.isConnected) this.stopWaiting = browserTimers.after(lookAgainMs, () => void this.look());
  }
}

function isOff(answer: Loading<Status>): boolean {
  return answer.state === "ready" && !answer.value.enabled;
}

function lineWords(answer: Loading<Status>): string {
  if (answer.state === "loading") return "";
  if (answer.state === "failed") return `The index does not say how it is: ${answer.message}`;
  const status = answer.value;
  if (!status.enabled) return "";
  if (status.state === "unused") return "The index is loaded with the first search.";
  if (status.state === "reading") return `Reading… ${statusWords(status)}`;
  return statusWords(status);
}

customElements.define("steward-index-line", StewardIndexLine);

declare global {
  interface HTMLElementTagNameMap {
    "steward-index-line": StewardIndexLine;
  }
}
