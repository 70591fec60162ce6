import { css } from "lit";

export const viewStyles = css`
  .back { display: inline-flex; align-items: center; gap: 2px; min-height: 32px; margin-bottom: var(--space-2); font-size: var(--text-s); color: var(--ink-soft); text-decoration: none; }
  .back:hover { color: var(--ink); }
  .back svg { rotate: 180deg; }
  .view { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-5); }
  .view > header { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-3); }
  h1 { overflow-wrap: anywhere; }
  section { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-3); }
  section > h2 { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-3); }
  .actions { margin-top: calc(-1 * var(--space-2)); }
  .actions .danger { margin-inline-start: auto; }
  .whole { font-size: var(--text-s); }
  .bone { height: 160px; background: var(--sunken); border-color: transparent; }
  @media (max-width: 520px) {
    .actions > * { flex: 1 1 40%; }
    .actions .danger { margin: 0; }
  }
`;
