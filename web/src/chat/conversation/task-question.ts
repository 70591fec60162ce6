// A question of a run that waits elsewhere: it is answered here as well as in the Inbox and on the page of its task.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { AnswerItem } from "../../../../src/contract/conversation/conversation.ts";
import { questionIn } from "../../../../src/contract/conversation/task-words.ts";
import type { App } from "../../app/app.ts";
import { watch } from "../../state/watch.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { approvalInChat } from "./approval-in-chat.ts";
import { conversationStyles } from "./conversation-styles.ts";

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
    const approval = this.app.approvals.value.find(({ approvalId }) => approvalId === task.ask);
    return html`<p class="voice">
        ${icon("tasks", 14)} <a href="/tasks/${task.id}">${approval ? "Task asks" : "Task asked"} · ${task.title}</a>
      </p>
      ${approval ? approvalInChat(this.app, approval) : this.renderPast(text)}`;
  }

  private renderPast(text: string): TemplateResult {
    return html`<div class="well" tabindex="0" role="group" aria-label="What it asked">${linesOf(text)}</div>
      <p class="muted small">${this.app.loaded.value ? "It waits no longer." : nothing}</p>`;
  }
}

// on its way through channels that know one line only, a sign stands for every end of a line
function linesOf(text: string): string {
  return questionIn(text).replaceAll(" ⏎ ", "\n");
}

customElements.define("steward-task-question", StewardTaskQuestion);
