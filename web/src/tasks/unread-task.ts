import { html, type TemplateResult } from "lit";
import { failedNotice, type Loading } from "../settings/loading.ts";
import { icon } from "../style/icons.ts";

/** In the place of a task that could not be read; one that is gone is not asked for again. */
export function unreadTask(
  { message, isMissing }: Extract<Loading<unknown>, { state: "failed" }>,
  retry: () => void,
): TemplateResult {
  if (!isMissing) return failedNotice(message, retry);
  return html`<div class="empty" role="alert">
    ${icon("tasks")}
    <h1>This task is not there any more.</h1>
    <a class="button" href="/tasks">All tasks</a>
  </div>`;
}
