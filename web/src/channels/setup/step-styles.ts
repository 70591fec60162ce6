import { css } from "lit";

/** What the steps and the forms in them share. */
export const stepStyles = css`
  form, .body { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-3); }
  .body > p, .body li { font-size: var(--text-s); color: var(--ink-soft); text-wrap: pretty; }
  .body ol, .body ul { display: grid; gap: var(--space-1); padding-inline-start: 20px; }
  .body b, .body strong { font-weight: 550; color: var(--ink); }
  .two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(220px, 100%), 1fr)); gap: var(--space-3); align-items: start; }
  textarea { min-height: 62px; }
  summary { font-size: var(--text-s); font-weight: 550; color: var(--ink-soft); }
  details[open] > summary { margin-bottom: var(--space-3); }
`;
