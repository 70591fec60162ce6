// A question of a run that waits elsewhere: here it is told, in the Inbox it is answered.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { AnswerItem } from "../../../../src/contract/conversation/conversation.ts";
import { questionIn } from "../../../../src/contract/conversation/task-words.ts";
import type { App } from "../../app/app.ts";
import { watch } from "../../state/watch.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { conversationStyles } from "./conversation-styles.ts";
import "../markdown/prose.ts";

export class StewardTaskQuestion extends LitElement {
  static override properties = { app: { attribute: false }, item: { attribute: false } };
  static override styles = [controls, conversationStyles, css`:host { display: block; }`];
  declare app: App;
  declare item: AnswerItem;

  constructor() {
    super();
    watch(this, () => [this.app.approvals, this.app.loaded]);
  }

  override render(): TemplateResult | typeof nothing {
    const { task, text } = this.item;
    if (!task) return nothing;
    // until the list is known, a question is taken for one that was answered long ago
    const isOpen = this.app.approvals.value.some(({ approvalId }) => approvalId === task.ask);
    return html`<p class="voice">
        ${icon("tasks", 14)} <a href="/tasks/${task.id}">${isOpen ? "Task asks" : "Task asked"} · ${task.title}</a>
      </p>
      <steward-prose .text=${questionIn(text)}></steward-prose>
      ${
        isOpen
          ? html`<p><a class="button" href="/inbox">${icon("inbox", 15)} Answer in the Inbox</a></p>`
          : html`<p class="muted small">${this.app.loaded.value ? "It waits no longer." : nothing}</p>`
      }`;
  }
}

customElements.define("steward-task-question", StewardTaskQuestion);
