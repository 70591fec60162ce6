import { html, type TemplateResult } from "lit";
import { icon } from "../style/icons.ts";
import { viewPath } from "./memory-view.ts";

/** In the place of a memory that holds nothing: how something gets into it. */
export function nothingNoted(group: string | undefined): TemplateResult {
  return html`<div class="empty">
    ${icon("memory")}
    <h2>Nothing noted yet</h2>
    <p>Say “remember that Anna’s birthday is on 3 March”<br />in the chat, or write a note yourself.</p>
    <div class="row">
      <a class="button primary" href="/chat">${icon("chat", 18)} Go to the chat</a>
      <a class="button" href=${viewPath({ view: "edit", group, path: "MEMORY.md" })}>${icon("edit", 16)} Write MEMORY.md</a>
    </div>
  </div>`;
}
