// Above all channels: chats in which the bot sits and says nothing, so that nobody has to look for them further down.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import { visibleLine } from "../../../../src/contract/words/visible-line.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { newGroupPath } from "../channels-place.ts";
import { declineChats, waitingChats, waitingWords } from "./decline-chats.ts";

type Seen = MethodResult<"groups.list">["seen"];

/** Tells `look` when somebody wants to see them all. */
export class StewardWaitingChats extends LitElement {
  static override properties = { seen: { attribute: false } };
  static override styles = [
    controls,
    css`
      :host { display: block; }
      .notice { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-3); margin-bottom: var(--space-3); padding: var(--space-3) var(--space-4); background: var(--accent-soft); border-color: transparent; }
      .notice > svg { color: var(--accent); }
      p { flex: 1 1 220px; min-width: 0; overflow-wrap: anywhere; }
      b { font-weight: 600; }
    `,
  ];
  declare seen: Seen;

  override render(): TemplateResult {
    const waiting = waitingChats(localStorage, this.seen);
    const [newest] = waiting;
    // stays while there is nothing, so that what comes is read out
    return html`<div role="status">${newest ? this.renderNotice(waiting, newest) : nothing}</div>`;
  }

  private renderNotice(waiting: Seen, newest: Seen[number]): TemplateResult {
    return html`<div class="card notice">
      ${icon("people", 20)}
      <p><b>${visibleLine(newest.title, 60)}</b> ${waitingWords(waiting.length)}</p>
      <div class="row">
        ${
          waiting.length === 1
            ? html`<a class="button primary" href=${newGroupPath(newest.channel, newest.address)}>Answer there…</a>`
            : html`<button class="primary" @click=${this.look}>Show them</button>`
        }
        <button class="quiet" @click=${() => this.decline(waiting)}>Not now</button>
      </div>
    </div>`;
  }

  private look(): void {
    this.dispatchEvent(new Event("look"));
  }

  private decline(waiting: Seen): void {
    declineChats(localStorage, waiting);
    this.requestUpdate();
  }
}

customElements.define("steward-waiting-chats", StewardWaitingChats);
