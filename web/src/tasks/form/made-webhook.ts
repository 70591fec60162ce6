// The address and the secret of a webhook, on the only occasion on which they are shown.
import { html, nothing, type TemplateResult } from "lit";
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import "../../settings/shown-once.ts";
import { hookExample } from "./hook-example.ts";

const once = "Copy it now: it is not shown again.";

export function madeWebhook({ task, path = "", secret }: MethodResult<"tasks.create">): TemplateResult {
  const address = new URL(path, location.origin).href;
  return html`<div class="card made">
    <p>“${task.title}” runs whenever something is sent to this address.</p>
    <steward-shown-once label="Address" .text=${address} note=${once}></steward-shown-once>
    ${secret ? html`<steward-shown-once label="Secret" .text=${secret} note=${once}></steward-shown-once>` : nothing}
    <steward-shown-once label="To try it in a terminal" .text=${hookExample({ address, secret })}></steward-shown-once>
    <div><a class="button primary" href="/tasks/${encodeURIComponent(task.id)}">Done</a></div>
  </div>`;
}
