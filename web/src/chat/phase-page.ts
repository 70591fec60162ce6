// What stands in the place of a conversation that cannot be shown.
import { html, type TemplateResult } from "lit";
import { icon } from "../style/icons.ts";
import type { ConversationState } from "./open-conversation.ts";

export type PhaseActions = { startNew(): void; tryAgain(): void };

/** Undefined when there is a conversation to show. */
export function phasePage(state: ConversationState, actions: PhaseActions): TemplateResult | undefined {
  if (state.conversation.deleted)
    return gonePage("This conversation was deleted", "Its words are gone for good.", actions);
  switch (state.phase) {
    case "missing":
      return gonePage(
        "There is no such conversation",
        "It may have been deleted, or the address is mistyped.",
        actions,
      );
    case "failed":
      return html`<div class="empty">
        ${icon("warning")}
        <h2>This conversation could not be read</h2>
        <p>${state.problem}</p>
        <button @click=${actions.tryAgain}>${icon("retry", 16)} Try again</button>
      </div>`;
    case "loading":
      return html`<p class="loading" role="status">${icon("spinner")} Reading the conversation…</p>`;
    case "ready":
      return undefined;
    default:
      return state.phase satisfies never;
  }
}

function gonePage(title: string, text: string, actions: PhaseActions): TemplateResult {
  return html`<div class="empty">
    ${icon("chat")}
    <h2>${title}</h2>
    <p>${text}</p>
    <button class="primary" @click=${actions.startNew}>${icon("plus", 16)} New chat</button>
  </div>`;
}
