import { css } from "lit";
import { headerStyles } from "./page-header.ts";
import { startStyles } from "./start-page.ts";

const page = css`
  :host { display: block; height: 100%; min-height: 0; }
  .page-body { position: relative; display: flex; flex-direction: column; height: 100%; min-height: 0; }
  steward-conversation, .start, .empty, .loading { flex: 1; min-height: 0; }
  .empty { align-content: center; }
  .foot { width: 100%; max-width: 768px; margin: 0 auto; padding: 0 var(--space-4) max(var(--space-4), env(safe-area-inset-bottom)); }
  .loading {
    display: flex; align-items: center; justify-content: center; gap: var(--space-2); color: var(--ink-faint);
    /* a quick answer shows no sign of waiting */
    animation: appear 0s 300ms both;
  }
  @keyframes appear { from { visibility: hidden; } }
  .dropping {
    position: absolute; inset: var(--space-2); z-index: 2; display: grid; place-content: center; justify-items: center; gap: var(--space-2);
    color: var(--accent); background: color-mix(in oklab, var(--accent-soft) 92%, transparent); pointer-events: none;
    border: 2px dashed var(--accent); border-radius: var(--radius-l);
  }
  @media (max-width: 720px) { .foot { padding-inline: var(--space-2); padding-bottom: max(var(--space-2), env(safe-area-inset-bottom)); } }
`;

export const chatPageStyles = [page, headerStyles, startStyles];
