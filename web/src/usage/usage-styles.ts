import { css } from "lit";

export const usageStyles = css`
  .page { max-width: 1040px; }
  .figures { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: var(--space-3); }
  .figure { display: grid; gap: var(--space-2); }
  .figure h2 { font-size: var(--text-s); color: var(--ink-soft); }
  .figure .cost { font-size: 30px; line-height: 1.1; font-weight: 600; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
  .figure dl { display: grid; grid-template-columns: auto 1fr; gap: 2px var(--space-3); font-size: var(--text-s); }
  .figure dt { color: var(--ink-faint); }
  .figure dd { text-align: end; font-variant-numeric: tabular-nums; }
  .unpriced { font-size: var(--text-s); color: var(--ink-faint); margin-top: var(--space-2); }
  .bone { background: var(--sunken); border-color: transparent; }
  .figure-bone { height: 158px; }
  .chart-bone { height: 310px; margin-top: var(--space-5); }
  .budgets { display: grid; gap: var(--space-3); margin-top: var(--space-3); }
  .budget { display: grid; gap: var(--space-1); font-size: var(--text-s); }
  .budget > div { display: flex; justify-content: space-between; gap: var(--space-3); }
  .budget span:last-child { color: var(--ink-soft); font-variant-numeric: tabular-nums; white-space: nowrap; }
  meter { display: block; width: 100%; height: 10px; border: 0; border-radius: 5px; background: var(--sunken); overflow: hidden; }
  meter::-webkit-meter-inner-element { display: block; height: 10px; }
  /* Chromium lifts it by half its height */
  meter::-webkit-meter-bar { position: static; height: 10px; border: 0; border-radius: 5px; background: var(--sunken); }
  meter::-webkit-meter-optimum-value { background: var(--accent); border-radius: 5px; }
  meter::-webkit-meter-suboptimum-value { background: var(--warning); border-radius: 5px; }
  meter::-webkit-meter-even-less-good-value { background: var(--danger); border-radius: 5px; }
  meter::-moz-meter-bar { background: var(--accent); border-radius: 5px; }
  .background { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-5); margin-top: var(--space-3); padding-block: var(--space-3); font-size: var(--text-s); color: var(--ink-soft); }
  .background strong { font-weight: 550; color: var(--ink); }
  .background a { margin-inline-start: auto; }
  .ranges { display: flex; gap: var(--space-2); margin: var(--space-6) 0 var(--space-3); }
  .ranges .button { min-height: 32px; padding: 0 var(--space-3); border-radius: 16px; }
  .ranges [aria-current] { color: var(--accent); background: var(--accent-soft); border-color: var(--accent); }
  .charts { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: var(--space-3); }
  .charts > :first-child { grid-column: 1 / -1; }
  .shares { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-5); margin-top: var(--space-6); }
  .shares h2 { margin-bottom: var(--space-2); }
  /* positioned, so that words hidden from view stay inside what scrolls */
  .shares .card { position: relative; padding: var(--space-1) 0; overflow-x: auto; }
  .shares td:first-child, .shares th[scope="row"] { overflow-wrap: anywhere; min-width: 120px; font-weight: 400; color: var(--ink); white-space: normal; }
  .shares tr:last-child th[scope="row"] { border-bottom: 0; }
  @media (max-width: 860px) { .charts { grid-template-columns: minmax(0, 1fr); } }
  @media (max-width: 600px) {
    .figures { grid-template-columns: minmax(0, 1fr); }
    .figure-bone { height: 132px; }
    .wide-only { display: none; }
    table.plain th, table.plain td { padding: var(--space-2); }
  }
`;
