// How each kind of item looks; those that can do more than be read are elements of their own.
import { html, nothing, type TemplateResult } from "lit";
import type { App } from "../../app/app.ts";
import { icon } from "../../style/icons.ts";
import "./attachments.ts";
import type {
  AnswerItem,
  ApprovalItem,
  ConversationItem,
  NoticeItem,
  PersonItem,
  ReasoningItem,
  SpeakingTask,
} from "../../../../src/contract/conversation/conversation.ts";
import type { ChatActions } from "../chat-actions.ts";
import { approvalInChat } from "./approval-in-chat.ts";
import { costLine } from "./cost-line.ts";
import "../markdown/prose.ts";
import { decisionWords } from "../../../../src/contract/conversation/notice-words.ts";
import { runWords, taskHeading } from "../../../../src/contract/conversation/task-words.ts";
import type { Outgoing } from "../outbox/outbox.ts";
import "./person-message.ts";
import "./task-question.ts";
import "./tool-card.ts";

export type Surroundings = {
  app: App;
  actions: ChatActions;
  /** A turn is under way. */
  isBusy: boolean;
  isWaiting: boolean;
  /** It holds runs, which are begun by their task and not by asking again. */
  isOfTask: boolean;
};

export function conversationItem(item: ConversationItem, around: Surroundings): TemplateResult {
  const kind = item.kind === "answer" && item.ending ? "notice" : item.kind;
  return html`<div class="item ${kind}">${inside(item, around)}</div>`;
}

function inside(item: ConversationItem, around: Surroundings): TemplateResult | typeof nothing {
  switch (item.kind) {
    case "person":
      if (item.run) return asked(item, item.run);
      return html`<steward-person-message
        .item=${item}
        .isWaiting=${around.isWaiting}
        .setsAside=${around.actions.setsAside}
        .reword=${around.actions.reword}
      ></steward-person-message>`;
    case "answer":
      return answer(item, around);
    case "reasoning":
      return reasoning(item);
    case "tool":
      return html`<steward-tool-card .item=${item} .undo=${around.actions.undo}></steward-tool-card>`;
    case "approval":
      return approval(item, around);
    case "notice":
      return item.recalled === undefined ? notice(item, around) : recalledLine(item.text, item.recalled);
    case "cost":
      return costLine(item, around.actions, !around.isBusy && !around.isOfTask);
    default:
      return item satisfies never;
  }
}

/** What a task asks for: not somebody's words of this moment, and told as such. */
function asked(item: PersonItem, run: NonNullable<PersonItem["run"]>): TemplateResult {
  return html`<div class="asked">
    <p class="voice">${icon("clock", 14)} <a href="/tasks/${run.task}">${runWords(run)}</a></p>
    <p class="words">${item.text}</p>
    ${
      item.data === undefined
        ? nothing
        : html`<details class="thought">
            <summary>${icon("chevron", 14)} What came with it</summary>
            <div class="well" tabindex="0" role="group" aria-label="What came with it">${item.data}</div>
          </details>`
    }
  </div>`;
}

function answer(item: AnswerItem, around: Surroundings): TemplateResult {
  // in a reply that adds how the turn ended, parentheses set it apart; here it is a remark of its own
  if (item.ending) return notice({ ...item, tone: item.ending, text: item.text.replace(/^\((.*)\)$/s, "$1") }, around);
  if (item.task?.says === "question")
    return html`<steward-task-question .app=${around.app} .item=${item}></steward-task-question>`;
  return html`${item.task ? voice(item.task, item.text) : nothing}
    ${item.partial ? html`<p class="muted small">The beginning of this appears when it is finished.</p>` : nothing}
    ${item.text === "" ? nothing : html`<steward-prose .text=${item.text} .isStreaming=${item.streaming}></steward-prose>`}
    ${
      item.attachments.length > 0
        ? html`<steward-attachments .attachments=${item.attachments}></steward-attachments>`
        : nothing
    }`;
}

function voice(task: SpeakingTask, text: string): TemplateResult {
  return html`<p class="voice">${icon(task.says === "reminder" ? "bell" : "tasks", 14)} <a href="/tasks/${task.id}">${taskHeading(task, text)}</a></p>`;
}

function reasoning(item: ReasoningItem): TemplateResult {
  return html`<details class="thought">
    <summary>${item.streaming ? icon("spinner", 14) : icon("chevron", 14)} ${item.streaming ? "Thinking…" : "What it thought"}</summary>
    <div class="thoughts">${item.text.trim()}</div>
  </details>`;
}

function approval(item: ApprovalItem, { app }: Surroundings): TemplateResult {
  if (item.decision === undefined) return approvalInChat(app, item.approval);
  const tone = item.decision === "approved" ? "good" : "danger";
  return html`<p class="decision ${tone}">
    ${icon(item.decision === "approved" ? "check" : "close", 14)} ${decisionWords(item.decision, item.because)}
  </p>`;
}

function recalledLine(text: string, seq: number): TemplateResult {
  return html`<p class="recalled">${icon("memory", 14)} <a href="/memory/recalled/${seq}">${text}</a></p>`;
}

type Remark = Pick<NoticeItem, "tone" | "text" | "detail" | "help" | "turn">;

function notice(item: Remark, around: Surroundings): TemplateResult {
  const words = html`<span>${item.text}</span>`;
  if (item.detail !== undefined)
    return html`<details class="note ${item.tone}">
      <summary>${words}</summary>
      <div class="thoughts">${item.detail}</div>
    </details>`;
  return html`<p class="note ${item.tone}">${item.tone === "warning" || item.tone === "error" ? icon("warning", 16) : nothing} ${words} ${help(item, around)}</p>`;
}

function help({ help, turn }: Remark, { actions, isBusy, isOfTask }: Surroundings): TemplateResult | typeof nothing {
  if (help === "setup") return html`<a class="button" href="/setup">${icon("setup", 15)} Fix in Setup</a>`;
  if (help !== "again" || turn === undefined || isBusy || isOfTask) return nothing;
  return html`<button @click=${() => actions.askAgain(turn)}>${icon("retry", 15)} Try again</button>`;
}

/** A message the gateway has not told back yet. */
export function outgoingItem(message: Outgoing, actions: ChatActions): TemplateResult {
  const { key, text, uploads, state, problem } = message;
  return html`<div class="item person outgoing">
    ${uploads.map(({ name }) => html`<span class="chip">${icon("file", 13)} ${name}</span>`)}
    ${text === "" ? nothing : html`<div class="bubble">${text}</div>`}
    ${
      state === "sending"
        ? html`<span class="sending">Sending…</span>`
        : html`<p class="problem" role="alert">Not sent. ${problem}</p>
            <div class="row">
              <button class="quiet" @click=${() => actions.takeBack(key)}>Take back</button>
              ${
                message.lostUploads > 0
                  ? nothing
                  : html`<button @click=${() => actions.resend(key)}>${icon("retry", 15)} Retry</button>`
              }
            </div>`
    }
  </div>`;
}
