import { css } from "lit";

export const calendarStyles = css`
  .bar { display: flex; align-items: center; gap: var(--space-2); margin-bottom: var(--space-3); }
  .bar h2 { flex: 1; }
  .back svg { rotate: 180deg; }
  table.month { width: 100%; table-layout: fixed; border-collapse: separate; border-spacing: 0; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-l); overflow: hidden; }
  th { padding: var(--space-2); font-size: var(--text-xs); font-weight: 550; color: var(--ink-faint); text-align: start; }
  td { position: relative; height: 104px; padding: var(--space-1); vertical-align: top; border-top: 1px solid var(--line); border-inline-start: 1px solid var(--line); }
  td:first-child { border-inline-start: 0; }
  td.outside { background: color-mix(in oklab, var(--sunken) 55%, transparent); }
  .number { display: inline-grid; place-content: center; min-width: 24px; height: 24px; padding: 0 4px; font-size: var(--text-xs); color: var(--ink-soft); font-variant-numeric: tabular-nums; }
  td.outside .number { color: var(--ink-faint); }
  td.today .number { color: var(--accent-ink); background: var(--accent); border-radius: 12px; font-weight: 600; }
  td ul { padding: 0; list-style: none; display: grid; grid-template-columns: minmax(0, 1fr); gap: 2px; }
  td .new { color: inherit; text-decoration: none; }
  td .new::after { content: ""; position: absolute; inset: 0; }
  td .new:focus-visible { outline: none; }
  td .new:focus-visible::after { outline: 2px solid var(--accent); outline-offset: -2px; }
  td:has(.new:hover) { background: color-mix(in oklab, var(--accent-soft) 45%, transparent); }
  /* what stands on the day lies above the way to a new task */
  td ul, td .more { position: relative; z-index: 1; }
  td .due { display: grid; padding: 2px 6px; font-size: var(--text-xs); line-height: 1.35; color: var(--ink); text-decoration: none; background: var(--accent-soft); border-radius: var(--radius-s); }
  td .due > * { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  td .due > span:not(.visually-hidden) { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; white-space: normal; overflow-wrap: anywhere; }
  td .due time { font-size: 11px; }
  .due time { color: var(--accent); font-variant-numeric: tabular-nums; }
  .due time svg { vertical-align: -2px; }
  .due:hover span { text-decoration: underline; }
  td .due.ran { background: var(--sunken); color: var(--ink-soft); }
  .due.ran time { color: var(--ink-faint); }
  .due.failed time { color: var(--danger); }
  td .more { width: 100%; min-height: 22px; padding: 0 5px; justify-content: flex-start; font-size: var(--text-xs); }
  .agenda { display: none; }
  @media (max-width: 720px) {
    table.month { display: none; }
    .agenda { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-4); }
    .agenda h3 { display: flex; align-items: center; justify-content: space-between; min-height: 44px; font-size: var(--text-s); color: var(--ink-soft); }
    .agenda h3.today { color: var(--accent); }
    .agenda ul { padding: 0; list-style: none; overflow: hidden; }
    .agenda li + li { border-top: 1px solid var(--line); }
    .agenda .due { display: flex; align-items: center; gap: var(--space-3); min-height: 44px; padding: var(--space-2) var(--space-4); color: var(--ink); text-decoration: none; }
    .agenda .due time { flex: none; max-width: 45%; font-size: var(--text-s); }
    .agenda .due > span:not(.visually-hidden) { min-width: 0; overflow-wrap: anywhere; }
    .agenda .new { display: grid; place-content: center; width: 44px; height: 44px; color: var(--ink-soft); border-radius: var(--radius-m); }
    .agenda .upcoming { scroll-margin-top: var(--space-4); }
  }
`;
