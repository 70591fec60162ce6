import { css } from "lit";

export const calendarStyles = css`
  .bar { display: flex; align-items: center; gap: var(--space-2); margin-bottom: var(--space-3); }
  .bar h2 { flex: 1; }
  .back svg { rotate: 180deg; }
  table.month { width: 100%; table-layout: fixed; border-collapse: separate; border-spacing: 0; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-l); overflow: hidden; }
  th { padding: var(--space-2); font-size: var(--text-xs); font-weight: 550; color: var(--ink-faint); text-align: start; }
  td { height: 104px; padding: var(--space-1); vertical-align: top; border-top: 1px solid var(--line); border-inline-start: 1px solid var(--line); }
  td:first-child { border-inline-start: 0; }
  td.outside { background: color-mix(in oklab, var(--sunken) 55%, transparent); }
  .number { display: inline-grid; place-content: center; min-width: 24px; height: 24px; padding: 0 4px; font-size: var(--text-xs); color: var(--ink-soft); font-variant-numeric: tabular-nums; }
  td.outside .number { color: var(--ink-faint); }
  td.today .number { color: var(--accent-ink); background: var(--accent); border-radius: 12px; font-weight: 600; }
  td ul { padding: 0; list-style: none; display: grid; grid-template-columns: minmax(0, 1fr); gap: 2px; }
  td .due { display: flex; gap: 4px; padding: 1px 5px; font-size: var(--text-xs); line-height: 1.5; color: var(--ink); text-decoration: none; background: var(--accent-soft); border-radius: var(--radius-s); }
  td .due span:not(.times) { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
  .due time { flex: none; white-space: nowrap; color: var(--accent); font-variant-numeric: tabular-nums; }
  .due:hover span { text-decoration: underline; }
  .times { flex: none; color: var(--ink-soft); }
  td .more { width: 100%; min-height: 22px; padding: 0 5px; justify-content: flex-start; font-size: var(--text-xs); }
  .agenda { display: none; }
  @media (max-width: 720px) {
    table.month { display: none; }
    .agenda { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-4); }
    .agenda h3 { margin-bottom: var(--space-1); font-size: var(--text-s); color: var(--ink-soft); }
    .agenda h3.today { color: var(--accent); }
    .agenda ul { padding: 0; list-style: none; overflow: hidden; }
    .agenda li + li { border-top: 1px solid var(--line); }
    .agenda .due { display: flex; align-items: center; gap: var(--space-3); min-height: 44px; padding: var(--space-2) var(--space-4); color: var(--ink); text-decoration: none; }
    .agenda .due span:not(.times) { min-width: 0; overflow-wrap: anywhere; }
  }
`;
