import { html, type TemplateResult } from "lit";
import type { OpenApproval } from "../../../../src/contract/wire/method.ts";
import type { App } from "../../app/app.ts";
import "../../inbox/approval-card.ts";
import type { StewardApprovalCard } from "../../inbox/approval-card.ts";

/** A question that waits, among what was said; who has its card before them answers by one key. */
export function approvalInChat(app: App, approval: OpenApproval): TemplateResult {
  return html`<steward-approval-card
    tabindex="0"
    aria-keyshortcuts="a d"
    .app=${app}
    .approval=${approval}
    @keydown=${decideByKey}
  ></steward-approval-card>`;
}

function decideByKey(event: KeyboardEvent): void {
  const card = event.currentTarget as StewardApprovalCard;
  const [target] = event.composedPath();
  const isTyping = target instanceof HTMLElement && target.matches("input, textarea");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "a") void card.approve();
  else if (event.key === "d") void card.deny();
}
