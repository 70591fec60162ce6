import { css } from "lit";

export const toolCardStyles = css`
  details { border: 1px solid var(--line); border-radius: var(--radius-m); background: var(--surface); }
  summary {
    display: flex; align-items: center; gap: var(--space-2); min-height: 38px; padding: 0 var(--space-3);
    font-size: var(--text-s); list-style: none; border-radius: var(--radius-m); user-select: none;
  }
  summary::-webkit-details-marker { display: none; }
  summary:hover { background: color-mix(in oklab, var(--ink) 4%, transparent); }
  .picture { display: inline-flex; color: var(--ink-faint); }
  .title { flex: none; font-weight: 550; }
  .subject {
    flex: 1 1 0; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
    font-family: var(--font-code); font-size: 0.92em; color: var(--ink-soft);
  }
  .standing {
    display: inline-flex; align-items: center; gap: var(--space-1); flex: none; white-space: nowrap;
    font-size: var(--text-xs); color: var(--ink-faint); font-variant-numeric: tabular-nums;
  }
  .standing.good svg { color: var(--good); }
  .standing.busy, .picture.busy { color: var(--accent); }
  .standing.warning { color: var(--warning); }
  .standing.danger { color: var(--danger); }
  .chevron { display: inline-flex; color: var(--ink-faint); transition: transform var(--quick); }
  details[open] .chevron { transform: rotate(90deg); }
  .inside { display: grid; gap: var(--space-3); padding: var(--space-2) var(--space-3) var(--space-3); }
  .inside > * { min-width: 0; }
  dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: var(--space-1) var(--space-3); font-size: var(--text-s); }
  dt { color: var(--ink-faint); }
  dd { font-family: var(--font-code); font-size: 0.92em; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 320px; overflow: auto; }
  .old, .new { display: block; padding: 0 var(--space-2); border-inline-start: 3px solid; }
  .old { color: var(--danger); background: var(--danger-soft); }
  .new { color: var(--good); background: var(--good-soft); margin-bottom: var(--space-1); }
  .well { max-height: 420px; }
  .more { justify-self: start; }
  .line {
    display: flex; align-items: center; gap: var(--space-2); min-height: 28px; padding: 0 var(--space-3);
    font-size: var(--text-s); color: var(--ink-soft); overflow-wrap: anywhere;
  }
  .line.danger { color: var(--danger); }
  .line.warning { color: var(--warning); }
  .changes button { min-height: 28px; padding: 0 var(--space-2); }
  .changes span:first-child { min-width: 0; overflow: hidden; text-overflow: ellipsis; }
  steward-attachments { margin-top: var(--space-2); }
  @media (max-width: 520px) {
    summary { flex-wrap: wrap; padding: var(--space-2) var(--space-3); gap: var(--space-1) var(--space-2); }
    .subject { order: 5; flex: 1 1 100%; }
    .title { flex: 1; }
  }
  @media (pointer: coarse) {
    summary { min-height: 44px; }
    .changes button { min-height: 44px; }
  }
`;
