import { css } from "lit";

export const bubble = css`
  .bubble {
    max-width: min(85%, 620px); padding: var(--space-2) var(--space-4); white-space: pre-wrap; overflow-wrap: anywhere;
    background: var(--accent-soft); border-radius: var(--radius-l); border-end-end-radius: var(--radius-s);
  }
`;
